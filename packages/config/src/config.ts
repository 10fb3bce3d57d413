import { join, resolve } from 'node:path';
import { ConfigError } from './config-error.ts';
import type { RawEnv } from './environment.ts';
import { type SettingName, settings } from './settings.ts';

/** All settings, validated and grouped; frozen. Names contain the units. */
export interface Config {
  /** Absolute path of `SLUICE_HOME`. */
  readonly home: string;
  /** IANA name: the time zone of workflows without their own. */
  readonly timezone: string;
  readonly logLevel: Values['LOG_LEVEL'];
  /** `community` has no scopes of keys, no sharing, and no resolvable credentials. */
  readonly license: Values['LICENSE'];
  readonly http: {
    readonly host: string;
    /** 0: any free port. */
    readonly port: number;
    /**
     * URL of the API for browsers, without a final `/`; null: unknown, because the port is chosen
     * at startup.
     */
    readonly publicUrl: string | null;
    /** Name of the API key header as configured; compare it ignoring case. */
    readonly keyHeader: string;
    /** Number of trusted reverse proxies: Express's `trust proxy`. */
    readonly trustProxyHops: number;
    readonly bodyLimitBytes: number;
    readonly jsonMaxDepth: number;
    readonly runWaitMs: number;
    readonly webhookWaitMs: number;
    /** Maximum number of requests per window. */
    readonly rateLimit: {
      readonly windowMs: number;
      readonly addressMax: number;
      readonly keyMax: Values['RATE_LIMIT_KEY_TABLE'];
      readonly missMax: number;
      /** Requests without an API key. */
      readonly anonymousMax: Values['RATE_LIMIT_ANONYMOUS_TABLE'];
    };
  };
  /** Limits of one API process. */
  readonly eventStreams: {
    readonly max: number;
    readonly maxPerKey: number;
  };
  readonly database: {
    /** `null`: `sluice up` starts a Postgres. See `requireServices`. */
    readonly url: string | null;
    readonly poolSize: number;
  };
  readonly redis: {
    /** `null`: `sluice up` starts a Redis. See `requireServices`. */
    readonly url: string | null;
    readonly queuePrefix: string;
  };
  readonly worker: {
    /** Worker processes of `sluice up`. */
    readonly count: number;
    /** Executions of one process at a time; `auto`: depends on its load. */
    readonly concurrency: number | 'auto';
    /** 0: any free port. */
    readonly healthPort: number;
    readonly leaseMs: number;
  };
  /** Polls and listeners of one worker. */
  readonly sources: {
    readonly pollsMax: number;
    readonly pollTimeoutMs: number;
    readonly listenersMax: number;
  };
  /** Whether processes serve `/metrics`. */
  readonly metrics: boolean;
  /** TCP port of the API's `/metrics`; 0: any free port. */
  readonly metricsPort: number;
  readonly audit: {
    /** Days for which lines are kept; 0: no limit. */
    readonly retentionDays: number;
  };
  /** Retention of ended executions. */
  readonly retention: {
    /** Days after the end, by status; 0: no limit. */
    readonly days: Values['EXECUTION_RETENTION_DAYS'];
    /** Number of newest executions kept per project; 0: all. */
    readonly maxPerProject: number;
  };
  /** For every process. */
  readonly shutdownGraceMs: number;
  /**
   * For every process: milliseconds without a response of the event loop after which it is killed.
   */
  readonly stallMs: number;
  readonly limits: {
    readonly workflowMaxNodes: number;
    /** Maximum number of executions of one project that wait to start. */
    readonly queuedMaxPerProject: number;
    /** Maximum bytes that the executions of one project store. */
    readonly storageMaxBytesPerProject: number;
    readonly nodeRunMaxBytes: number;
    readonly executionMaxBytes: number;
    readonly nodeRunsMax: number;
  };
  /** Storage of files. */
  readonly binary: {
    readonly store:
      | { readonly kind: 'disk' /** Absolute path. */; readonly folder: string }
      | { readonly kind: 's3'; readonly bucket: string; readonly region: string; readonly endpoint: string | null };
    /** Maximum size of one file. */
    readonly maxBytes: number;
    /** Maximum total of all files of an execution. */
    readonly executionMaxBytes: number;
  };
  /** Absolute paths of the folders that file nodes may use; empty: none. */
  readonly filesFolders: readonly string[];
  /** Programs that nodes may run, and the user they run as; `null`: none. */
  readonly commands: { readonly programs: readonly string[]; readonly uid: number; readonly gid: number } | null;
  /** Community packages of node types. */
  readonly nodePackages: {
    /** Absolute path; null: none. */
    readonly folder: string | null;
    /** Names of packages, or `@scope/*` for all packages of a scope; null: all of the folder. */
    readonly allow: readonly string[] | null;
  };
  readonly sandbox: {
    readonly timeoutMs: number;
    readonly memoryMb: number;
    readonly threads: number;
  };
  readonly expressions: {
    /** Names of environment variables. See `readAllowedEnvironment`. */
    readonly envAllow: readonly string[];
  };
  readonly outgoing: {
    readonly ssrfProtection: Values['SSRF_PROTECTION'];
    /**
     * CIDRs, addresses and host names, each with an optional port; a host name may start with `*.`.
     */
    readonly ssrfAllow: readonly string[];
    /** The same without wildcards; host names have a port. */
    readonly ssrfDeny: readonly string[];
    /**
     * The configured ports and object store. Without Postgres and Redis, whose URLs are read by
     * their clients.
     */
    readonly ownEndpoints: readonly { readonly host: string; readonly port: number }[];
  };
  /** Names of the settings that differ from their default. */
  readonly changedSettings: readonly SettingName[];
  /** Separate, so that the rest may be displayed. */
  readonly secrets: {
    readonly bootstrapApiKey: string | null;
    /**
     * Master keys as given, the primary one first; `null`: `sluice up` creates one. See
     * `requireEncryptionKeys`.
     */
    readonly encryptionKeys: readonly string[] | null;
    /** `null`: credentials of the machine. */
    readonly s3: { readonly accessKeyId: string; readonly secretAccessKey: string } | null;
  };
}

type Settings = typeof settings;
type Values = {
  [Name in SettingName]: ReturnType<Settings[Name]['parse']> | (Settings[Name]['fallback'] extends undefined ? null : never);
};

/** Throws a `ConfigError` that names every invalid setting. */
export function toConfig(env: RawEnv): Config {
  const values = parseAll(env);
  return deepFreeze({
    home: resolve(values.SLUICE_HOME),
    timezone: values.TIMEZONE,
    logLevel: values.LOG_LEVEL,
    license: values.LICENSE,
    http: {
      host: values.HOST,
      port: values.PORT,
      publicUrl: toPublicUrl(values),
      keyHeader: values.API_KEY_HEADER,
      trustProxyHops: values.TRUST_PROXY,
      bodyLimitBytes: values.BODY_LIMIT_BYTES,
      jsonMaxDepth: values.JSON_MAX_DEPTH,
      runWaitMs: values.RUN_WAIT_MS,
      webhookWaitMs: values.WEBHOOK_WAIT_MS,
      rateLimit: toRateLimit(values),
    },
    eventStreams: { max: values.EVENT_STREAMS_MAX, maxPerKey: values.EVENT_STREAMS_KEY_MAX },
    database: { url: values.DATABASE_URL, poolSize: values.DATABASE_POOL_SIZE },
    redis: { url: values.REDIS_URL, queuePrefix: values.QUEUE_PREFIX },
    worker: {
      count: values.WORKERS,
      concurrency: values.CONCURRENCY,
      healthPort: values.WORKER_PORT,
      leaseMs: values.LEASE_MS,
    },
    sources: {
      pollsMax: values.POLLS_MAX,
      pollTimeoutMs: values.POLL_TIMEOUT_MS,
      listenersMax: values.LISTENERS_MAX,
    },
    metrics: values.METRICS === 'on',
    metricsPort: values.METRICS_PORT,
    audit: { retentionDays: values.AUDIT_RETENTION_DAYS },
    retention: { days: values.EXECUTION_RETENTION_DAYS, maxPerProject: values.EXECUTION_RETENTION_MAX },
    shutdownGraceMs: values.SHUTDOWN_GRACE_MS,
    stallMs: values.STALL_MS,
    limits: {
      workflowMaxNodes: values.WORKFLOW_MAX_NODES,
      queuedMaxPerProject: values.QUEUED_MAX_PER_PROJECT,
      storageMaxBytesPerProject: values.STORAGE_MAX_BYTES_PER_PROJECT,
      nodeRunMaxBytes: values.NODE_RUN_MAX_BYTES,
      executionMaxBytes: values.EXECUTION_MAX_BYTES,
      nodeRunsMax: values.NODE_RUNS_MAX,
    },
    binary: {
      store: toBinaryStore(values),
      maxBytes: values.BINARY_MAX_BYTES,
      executionMaxBytes: values.BINARY_EXECUTION_MAX_BYTES,
    },
    filesFolders: values.FILES_DIR,
    commands: toCommands(values),
    nodePackages: {
      folder: values.SLUICE_NODES_DIR === null ? null : resolve(values.SLUICE_NODES_DIR),
      allow: values.SLUICE_NODES_ALLOW,
    },
    sandbox: {
      timeoutMs: values.SANDBOX_TIMEOUT_MS,
      memoryMb: values.SANDBOX_MEMORY_MB,
      threads: values.SANDBOX_THREADS,
    },
    expressions: { envAllow: values.EXPRESSIONS_ENV_ALLOW },
    outgoing: {
      ssrfProtection: values.SSRF_PROTECTION,
      ssrfAllow: values.SSRF_ALLOW,
      ssrfDeny: values.SSRF_DENY,
      ownEndpoints: toOwnEndpoints(values),
    },
    changedSettings: changedSettings(env),
    secrets: {
      bootstrapApiKey: values.BOOTSTRAP_API_KEY,
      encryptionKeys: values.ENCRYPTION_KEY,
      s3: toS3Credentials(values),
    },
  });
}

function toPublicUrl({ PUBLIC_URL: given, HOST: host, PORT: port }: Values): string | null {
  if (given !== null) return given.replace(/(?<!\/)\/+$/, '');
  if (port === 0) return null;
  const name = host === '0.0.0.0' || host === '::' ? 'localhost' : host;
  return `http://${name.includes(':') ? `[${name}]` : name}:${port}`;
}

function changedSettings(env: RawEnv): SettingName[] {
  const names = Object.keys(settings) as SettingName[];
  return names.filter((name) => env[name] !== undefined && env[name] !== settings[name].fallback);
}

function toCommands(values: Values): Config['commands'] {
  const { EXECUTE_COMMAND_ALLOW: programs, EXECUTE_COMMAND_UID: uid, EXECUTE_COMMAND_GID: gid } = values;
  return programs.length === 0 ? null : { programs, uid, gid };
}

function toBinaryStore(values: Values): Config['binary']['store'] {
  const { BINARY_S3_BUCKET: bucket, BINARY_S3_REGION: region, BINARY_S3_ENDPOINT: endpoint } = values;
  if (values.BINARY_STORE === 's3' && bucket !== null) return { kind: 's3', bucket, region, endpoint };
  return { kind: 'disk', folder: resolve(values.BINARY_DIR ?? join(values.SLUICE_HOME, 'files')) };
}

/** `127.0.0.1` represents every address of this machine. */
function toOwnEndpoints(values: Values): Config['outgoing']['ownEndpoints'] {
  const ports = [values.PORT, values.WORKER_PORT, values.METRICS_PORT].filter((port) => port !== 0);
  const endpoint = values.BINARY_STORE === 's3' && URL.parse(values.BINARY_S3_ENDPOINT ?? '');
  const store = endpoint && {
    host: endpoint.hostname.replace(/^\[(.*)\]$/, '$1'),
    port: Number(endpoint.port) || (endpoint.protocol === 'https:' ? 443 : 80),
  };
  return [...ports.map((port) => ({ host: '127.0.0.1', port })), ...(store ? [store] : [])];
}

function toS3Credentials(values: Values): Config['secrets']['s3'] {
  const { BINARY_S3_ACCESS_KEY_ID: accessKeyId, BINARY_S3_SECRET_ACCESS_KEY: secretAccessKey } = values;
  return accessKeyId !== null && secretAccessKey !== null ? { accessKeyId, secretAccessKey } : null;
}

function toRateLimit(values: Values): Config['http']['rateLimit'] {
  const { RATE_LIMIT_MAX: addressMax, RATE_LIMIT_KEY_MAX: sameForAll } = values;
  const multiplied = <Name extends string>(multiples: Readonly<Record<Name, number>>) =>
    Object.fromEntries(
      Object.entries<number>(multiples).map(([name, multiple]) => [name, Math.max(1, Math.round(multiple * addressMax))]),
    ) as Record<Name, number>;
  const byGroup = multiplied(values.RATE_LIMIT_KEY_TABLE);
  return {
    windowMs: values.RATE_LIMIT_WINDOW_MS,
    addressMax,
    keyMax: sameForAll > 0 ? { read: sameForAll, write: sameForAll, run: sameForAll, credentialTest: sameForAll } : byGroup,
    missMax: values.RATE_LIMIT_MISS_MAX,
    anonymousMax: multiplied(values.RATE_LIMIT_ANONYMOUS_TABLE),
  };
}

/** The URLs of the two services; throws a `ConfigError` that names the missing ones. */
export function requireServices(config: Config): { databaseUrl: string; redisUrl: string } {
  const { url: databaseUrl } = config.database;
  const { url: redisUrl } = config.redis;
  if (databaseUrl !== null && redisUrl !== null) return { databaseUrl, redisUrl };
  const missing = [databaseUrl === null ? 'DATABASE_URL' : '', redisUrl === null ? 'REDIS_URL' : ''].filter(
    (name) => name !== '',
  );
  throw new ConfigError(missing.map((name) => `${name} is needed here: only \`sluice up\` starts its own service`));
}

/** The master keys; throws a `ConfigError` that names the setting if there is none. */
export function requireEncryptionKeys({ secrets }: Config): readonly string[] {
  if (secrets.encryptionKeys !== null) return secrets.encryptionKeys;
  throw new ConfigError(['ENCRYPTION_KEY is needed here: only `sluice up` creates its own key']);
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
  problems.push(...problemsOfS3(values as Values));
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

function deepFreeze<T extends object>(value: T): T {
  for (const child of Object.values(value)) if (typeof child === 'object' && child !== null) deepFreeze(child);
  return Object.freeze(value);
}
