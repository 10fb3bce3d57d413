import { join, resolve } from 'node:path';
import type { Values } from '../values.ts';
import { toPublicUrl } from './api-groups.ts';

/** Resources of executions: files, commands, node packages, the sandbox, and the network. */
export function executionGroups(values: Values) {
  return {
    /** IANA time zone for workflows that do not set one. */
    timezone: values.TIMEZONE,
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
       * CIDRs, addresses and host names, each with an optional port; a host name may start with
       * `*.`.
       */
      ssrfAllow: values.SSRF_ALLOW,
      /** The same without wildcards; host names have a port. */
      ssrfDeny: values.SSRF_DENY,
      ownEndpoints: toOwnEndpoints(values),
      /** URL of the public API, without a final `/`; null: unknown. */
      ownApiUrl: toOwnApiUrl(values),
    },
  };
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

/**
 * If the API listens on all addresses, as in a container, `localhost` does not reach it from other
 * hosts.
 */
function toOwnApiUrl(values: Values): string | null {
  if (values.PUBLIC_URL === null && ['0.0.0.0', '::'].includes(values.HOST)) return null;
  const publicUrl = toPublicUrl(values);
  return publicUrl === null ? null : `${publicUrl}/api/v1`;
}
