import { join, resolve } from 'node:path';
import { ConfigError } from './config-error.ts';
import type { RawEnv } from './environment.ts';
import { type SettingName, settings } from './settings.ts';

/** All settings, validated and grouped; frozen. Names contain the units. */
export type Config = Frozen<ReturnType<typeof grouped>>;

type Frozen<T> = T extends object ? { readonly [Name in keyof T]: Frozen<T[Name]> } : T;

type Settings = typeof settings;
type Values = {
  [Name in SettingName]: ReturnType<Settings[Name]['parse']> | (Settings[Name]['fallback'] extends undefined ? null : never);
};

/** Throws a `ConfigError` that names every invalid setting. */
export function toConfig(env: RawEnv): Config {
  return deepFreeze(grouped(parseAll(env), env));
}

function grouped(values: Values, env: RawEnv) {
  return {
    /** Absolute path of `SLUICE_HOME`. */
    home: resolve(values.SLUICE_HOME),
    /** IANA time zone for workflows that do not set one. */
    timezone: values.TIMEZONE,
    logLevel: values.LOG_LEVEL,
    /** `community` has no key scopes, no sharing, and no resolvable credentials. */
    license: values.LICENSE,
    http: {
      host: values.HOST,
      /** 0: any free port. */
      port: values.PORT,
      publicUrl: toPublicUrl(values),
      /** Name of the API key header as configured; compare it ignoring case. */
      keyHeader: values.API_KEY_HEADER,
      /** Number of trusted reverse proxies: Express's `trust proxy`. */
      trustProxyHops: values.TRUST_PROXY,
      bodyLimitBytes: values.BODY_LIMIT_BYTES,
      jsonMaxDepth: values.JSON_MAX_DEPTH,
      runWaitMs: values.RUN_WAIT_MS,
      webhookWaitMs: values.WEBHOOK_WAIT_MS,
      rateLimit: toRateLimit(values),
    },
    /** Limits of one API process. */
    eventStreams: { max: values.EVENT_STREAMS_MAX, maxPerKey: values.EVENT_STREAMS_KEY_MAX },
    /** URL `null`: `sluice up` starts a Postgres. See `requireServices`. */
    database: {
      url: values.DATABASE_URL,
      poolSize: values.DATABASE_POOL_SIZE,
      /** URL of a replica, if any. */
      readUrl: values.DATABASE_READ_URL,
      /** Maximum age of the replica's data for reads. */
      readLagMs: values.DATABASE_READ_LAG_MS,
    },
    /** URL `null`: `sluice up` starts a Redis. See `requireServices`. */
    redis: { url: values.REDIS_URL, ...toPrefixes(values) },
    worker: {
      /** Worker processes of `sluice up`. */
      count: values.WORKERS,
      /** Number of executions that one process runs at once; `auto`: depends on its load. */
      concurrency: values.CONCURRENCY,
      /** 0: any free port. */
      healthPort: values.WORKER_PORT,
      leaseMs: values.LEASE_MS,
    },
    /** For the polls and listeners of one worker. */
    sources: {
      pollsMax: values.POLLS_MAX,
      pollTimeoutMs: values.POLL_TIMEOUT_MS,
      listenersMax: values.LISTENERS_MAX,
    },
    /** Whether processes serve `/metrics`. */
    metrics: values.METRICS === 'on',
    /** TCP port of the API's `/metrics`; 0: any free port. */
    metricsPort: values.METRICS_PORT,
    /** Export of traces; `null`: off. */
    traces: values.TRACES_URL === null ? null : { url: values.TRACES_URL, ratio: values.TRACES_PERCENT / 100 },
    /** Conversations that memory nodes keep. */
    chatSessions: {
      maxBytesPerWorkflow: values.CHAT_SESSIONS_MAX_BYTES_PER_WORKFLOW,
      /** Days after the last message. */
      retentionDays: values.CHAT_SESSION_RETENTION_DAYS,
    },
    /** Days for which lines are kept; 0: no limit. */
    audit: { retentionDays: values.AUDIT_RETENTION_DAYS },
    /**
     * Retention of ended executions: days after the end, by status, and number of newest executions
     * per project. 0: no limit.
     */
    retention: { days: values.EXECUTION_RETENTION_DAYS, maxPerProject: values.EXECUTION_RETENTION_MAX },
    /** For every process. */
    shutdownGraceMs: values.SHUTDOWN_GRACE_MS,
    /** For every process: milliseconds of an unresponsive event loop after which it is killed. */
    stallMs: values.STALL_MS,
    limits: {
      workflowMaxNodes: values.WORKFLOW_MAX_NODES,
      /** Maximum number of executions of one project that wait to start. */
      queuedMaxPerProject: values.QUEUED_MAX_PER_PROJECT,
      /** Maximum bytes that the executions of one project store. */
      storageMaxBytesPerProject: values.STORAGE_MAX_BYTES_PER_PROJECT,
      /** Maximum bytes of the workflows of one project, including their versions. */
      workflowsMaxBytesPerProject: values.WORKFLOWS_MAX_BYTES_PER_PROJECT,
      /** Limits of data tables. */
      dataTables: {
        tablesPerProject: values.DATA_TABLES_MAX_PER_PROJECT,
        /** Sum over all data tables of a project. */
        bytes: values.DATA_TABLES_MAX_BYTES_PER_PROJECT,
        columns: values.DATA_TABLE_MAX_COLUMNS,
        rows: values.DATA_TABLE_MAX_ROWS,
        /**
         * Must be less than the number of connections for such statements, which is half of the
         * pool.
         */
        connections: Math.max(1, Math.floor(values.DATABASE_POOL_SIZE * 0.3)),
      },
      nodeRunMaxBytes: values.NODE_RUN_MAX_BYTES,
      executionMaxBytes: values.EXECUTION_MAX_BYTES,
      nodeRunsMax: values.NODE_RUNS_MAX,
      /** Limits for calls of sub-nodes, for each execution. */
      ai: {
        maxModelCalls: values.AI_MAX_MODEL_CALLS,
        maxToolCalls: values.AI_MAX_TOOL_CALLS,
        maxTokens: values.AI_MAX_TOKENS,
        maxCostUsd: values.AI_MAX_COST_USD,
        prices: values.AI_MODEL_PRICES,
      },
    },
    /** Storage of files. */
    binary: {
      store: toBinaryStore(values),
      /** Maximum size of one file. */
      maxBytes: values.BINARY_MAX_BYTES,
      /** Maximum total of all files of an execution. */
      executionMaxBytes: values.BINARY_EXECUTION_MAX_BYTES,
    },
    /** Absolute paths of the folders that file nodes may use; empty: no folders. */
    filesFolders: values.FILES_DIR,
    commands: toCommands(values),
    /** Community packages of node types. */
    nodePackages: {
      /** Absolute path; null: no packages are loaded. */
      folder: values.SLUICE_NODES_DIR === null ? null : resolve(values.SLUICE_NODES_DIR),
      /**
       * Package names, or `@scope/*` for all packages of a scope; null: all packages in the folder.
       */
      allow: values.SLUICE_NODES_ALLOW,
      /** Packages whose types replace those of Sluice, as in `allow`. */
      prefer: values.SLUICE_NODES_PREFER ?? [],
    },
    sandbox: {
      timeoutMs: values.SANDBOX_TIMEOUT_MS,
      memoryMb: values.SANDBOX_MEMORY_MB,
      threads: values.SANDBOX_THREADS,
    },
    /** Names of environment variables. See `readAllowedEnvironment`. */
    expressions: { envAllow: values.EXPRESSIONS_ENV_ALLOW },
    outgoing: {
      ssrfProtection: values.SSRF_PROTECTION,
      /**
       * CIDRs, addresses and host names, each with an optional port; a host name may start with `*.`.
       */
      ssrfAllow: values.SSRF_ALLOW,
      /** The same without wildcards; host names have a port. */
      ssrfDeny: values.SSRF_DENY,
      ownEndpoints: toOwnEndpoints(values),
      /** URL of the public API, without a final `/`; null: unknown. */
      ownApiUrl: toOwnApiUrl(values),
    },
    /** Names of the settings that differ from their default. */
    changedSettings: changedSettings(env),
    /** Kept separate, so that the rest can be displayed. */
    secrets: {
      bootstrapApiKey: values.BOOTSTRAP_API_KEY,
      /**
       * Master keys as given, the primary one first; `null`: `sluice up` creates one. See
       * `requireEncryptionKeys`.
       */
      encryptionKeys: values.ENCRYPTION_KEY,
      s3: toS3Credentials(values),
    },
  };
}

/** URL of the API for browsers, without a final `/`; null: unknown, because the port is chosen at startup. */
function toPublicUrl({ PUBLIC_URL: publicUrl, HOST: host, PORT: port }: Values): string | null {
  if (publicUrl !== null) return publicUrl.replace(/(?<!\/)\/+$/, '');
  if (port === 0) return null;
  const name = host === '0.0.0.0' || host === '::' ? 'localhost' : host;
  return `http://${name.includes(':') ? `[${name}]` : name}:${port}`;
}

/**
 * If the API listens on all addresses, as in a container, `localhost` does not reach it from other
 * hosts.
 */
function toOwnApiUrl(values: Values): string | null {
  if (values.PUBLIC_URL === null && ['0.0.0.0', '::'].includes(values.HOST)) return null;
  const publicUrl = toPublicUrl(values);
  return publicUrl === null ? null : `${publicUrl}/api/v1`;
}

/**
 * Prefixes of keys. In a cluster, each is a hash tag: each script uses keys with a single prefix,
 * which must be on the same node.
 */
function toPrefixes({ REDIS_URL: url, QUEUE_PREFIX: prefix, QUEUE_SHARDS: count }: Values) {
  const prefixOf = (name: string) => (/^rediss?\+cluster:/.test(url ?? '') ? `{${name}}` : name);
  return {
    queuePrefix: prefixOf(prefix),
    /** Prefix of each shard of the queue; the first one is `queuePrefix`. */
    shards: Array.from({ length: count }, (_, i) => prefixOf(i === 0 ? prefix : `${prefix}.${i}`)),
  };
}

function changedSettings(env: RawEnv): SettingName[] {
  const names = Object.keys(settings) as SettingName[];
  return names.filter((name) => env[name] !== undefined && env[name] !== settings[name].fallback);
}

/** Programs that nodes may run, and the user they run as; `null`: no programs. */
function toCommands(values: Values) {
  const { EXECUTE_COMMAND_ALLOW: programs, EXECUTE_COMMAND_UID: uid, EXECUTE_COMMAND_GID: gid } = values;
  return programs.length === 0 ? null : { programs, uid, gid };
}

type BinaryStore =
  | { kind: 'disk' /** Absolute path. */; folder: string }
  | { kind: 's3'; bucket: string; region: string; endpoint: string | null };

function toBinaryStore(values: Values): BinaryStore {
  const { BINARY_S3_BUCKET: bucket, BINARY_S3_REGION: region, BINARY_S3_ENDPOINT: endpoint } = values;
  if (values.BINARY_STORE === 's3' && bucket !== null) return { kind: 's3', bucket, region, endpoint };
  return { kind: 'disk', folder: resolve(values.BINARY_DIR ?? join(values.SLUICE_HOME, 'files')) };
}

/**
 * The configured ports and object store; `127.0.0.1` represents every address of this machine.
 * Excludes Postgres and Redis, whose URLs are parsed by their clients.
 */
function toOwnEndpoints(values: Values): { host: string; port: number }[] {
  const ports = [values.PORT, values.WORKER_PORT, values.METRICS_PORT].filter((port) => port !== 0);
  const urls = [values.BINARY_STORE === 's3' ? values.BINARY_S3_ENDPOINT : null, values.TRACES_URL];
  return [...ports.map((port) => ({ host: '127.0.0.1', port })), ...urls.flatMap(toEndpoint)];
}

function toEndpoint(url: string | null): { host: string; port: number }[] {
  const endpoint = URL.parse(url ?? '');
  if (!endpoint) return [];
  const host = endpoint.hostname.replace(/^\[(.*)\]$/, '$1');
  return [{ host, port: Number(endpoint.port) || (endpoint.protocol === 'https:' ? 443 : 80) }];
}

/** `null`: the machine's own credentials. */
function toS3Credentials(values: Values) {
  const { BINARY_S3_ACCESS_KEY_ID: accessKeyId, BINARY_S3_SECRET_ACCESS_KEY: secretAccessKey } = values;
  return accessKeyId !== null && secretAccessKey !== null ? { accessKeyId, secretAccessKey } : null;
}

/** Maximum number of requests per window. */
function toRateLimit(values: Values) {
  const { RATE_LIMIT_MAX: addressMax, RATE_LIMIT_KEY_MAX: sameForAll } = values;
  const each = <Name extends string>(table: Readonly<Record<Name, number>>, limitOf: (multiple: number) => number) =>
    Object.fromEntries(Object.entries<number>(table).map(([name, multiple]) => [name, limitOf(multiple)])) as Record<
      Name,
      number
    >;
  const multiplied = (multiple: number) => Math.max(1, Math.round(multiple * addressMax));
  return {
    windowMs: values.RATE_LIMIT_WINDOW_MS,
    addressMax,
    keyMax: each(values.RATE_LIMIT_KEY_TABLE, sameForAll > 0 ? () => sameForAll : multiplied),
    missMax: values.RATE_LIMIT_MISS_MAX,
    /** Requests without an API key. */
    anonymousMax: each(values.RATE_LIMIT_ANONYMOUS_TABLE, multiplied),
  };
}

/** Returns the URLs of the two services; throws a `ConfigError` that names the missing ones. */
export function requireServices(config: Config): { databaseUrl: string; redisUrl: string } {
  const { url: databaseUrl } = config.database;
  const { url: redisUrl } = config.redis;
  if (databaseUrl !== null && redisUrl !== null) return { databaseUrl, redisUrl };
  const missing = [databaseUrl === null ? 'DATABASE_URL' : '', redisUrl === null ? 'REDIS_URL' : ''].filter(
    (name) => name !== '',
  );
  throw new ConfigError(missing.map((name) => `${name} is required: only \`sluice up\` runs without it`));
}

/** Returns the master keys; throws a `ConfigError` that names the setting if it is missing. */
export function requireEncryptionKeys({ secrets }: Config): readonly string[] {
  if (secrets.encryptionKeys !== null) return secrets.encryptionKeys;
  throw new ConfigError(['ENCRYPTION_KEY is required: only `sluice up` runs without it']);
}

function parseAll(env: RawEnv): Values {
  const problems: string[] = [];
  const values: Partial<Record<SettingName, unknown>> = {};
  for (const name of Object.keys(settings) as SettingName[]) {
    const { fallback, parse } = settings[name];
    const text = env[name] ?? fallback;
    try {
      values[name] = text === undefined ? null : parse(text);
    } catch (error) {
      problems.push(`${name} ${error instanceof Error ? error.message : String(error)}`);
    }
  }
  problems.push(...problemsOfS3(values as Values), ...problemsOfShards(values as Values));
  const names = (values.EXPRESSIONS_ENV_ALLOW ?? []) as readonly string[];
  const own = names.filter((name) => Object.hasOwn(settings, name));
  if (own.length > 0) problems.push(`EXPRESSIONS_ENV_ALLOW must not list settings of Sluice: ${own.join(', ')}`);
  if (problems.length > 0) throw new ConfigError(problems);
  return values as Values;
}

/** Problems that several settings cause together. */
function problemsOfS3(values: Values): string[] {
  const problems: string[] = [];
  if (values.BINARY_STORE === 's3' && values.BINARY_S3_BUCKET === null)
    problems.push('BINARY_S3_BUCKET is required with BINARY_STORE=s3');
  if ((values.BINARY_S3_ACCESS_KEY_ID === null) !== (values.BINARY_S3_SECRET_ACCESS_KEY === null))
    problems.push('BINARY_S3_ACCESS_KEY_ID and BINARY_S3_SECRET_ACCESS_KEY must be set together');
  return problems;
}

/** A worker takes at least one execution of each shard at a time. */
function problemsOfShards({ CONCURRENCY: concurrency, QUEUE_SHARDS: shards }: Values): string[] {
  return typeof concurrency === 'number' && concurrency < shards ? ['CONCURRENCY must not be less than QUEUE_SHARDS'] : [];
}

function deepFreeze<T extends object>(value: T): T {
  for (const child of Object.values(value)) if (typeof child === 'object' && child !== null) deepFreeze(child);
  return Object.freeze(value);
}
