import { readFileSync } from 'node:fs';
import type { ConnectionOptions } from 'node:tls';
import { Cluster, type Redis, type RedisOptions } from 'ioredis';
import type { RedisClient } from './redis.ts';

export interface RedisHost {
  host: string;
  port: number;
}

/** Addresses of Redis, with the ioredis options to reach them. */
export interface RedisAddress {
  kind: 'single' | 'sentinel' | 'cluster';
  /** The server, the sentinels, or some nodes of the cluster. Empty for a Unix socket. */
  hosts: RedisHost[];
  options: Omit<RedisOptions, 'replyMapping'>;
}

const defaultPorts = { single: 6379, sentinel: 26_379, cluster: 6379 };
/** Named like the options of redis-cli and ioredis. */
const tlsParameters = ['cacert', 'cert', 'key', 'sni', 'insecure'];
const sentinelParameters = ['sentinelUsername', 'sentinelPassword'];

/**
 * Reads `redis://`, `rediss://` (TLS), `unix:///path`, `redis+sentinel://host,host/master/db`, and
 * `redis+cluster://host,host`; the last two also as `rediss+…`. Throws for any other URL, or if it
 * names a file that cannot be read.
 */
export function parseRedisUrl(url: string): RedisAddress {
  if (url.startsWith('unix://')) return { kind: 'single', hosts: [], options: { path: url.slice('unix://'.length) } };
  const [, tls, mode = 'single', login = '', names = '', path = '', query = ''] =
    /^redis(s?)(?:\+(sentinel|cluster))?:\/\/(?:([^/?#]*)@)?([^/?#@]*)((?:\/[^?#]*)?)(?:\?(.*))?$/s.exec(url) ?? [];
  if (tls === undefined) throw new Error('the Redis URL has an unknown format');
  const kind = mode as RedisAddress['kind'];
  const parameters = new URLSearchParams(query);
  const allowed = ['family', ...(tls ? tlsParameters : []), ...(kind === 'sentinel' ? sentinelParameters : [])];
  const unknown = [...parameters.keys()].filter((name) => !allowed.includes(name));
  if (unknown.length > 0) throw new Error(`the URL of Redis has unknown parameters: ${unknown.join(', ')}`);
  const hosts = names.split(',').map((name) => hostOf(name, defaultPorts[kind]));
  const secure = tls ? { tls: tlsOf(parameters) } : {};
  const options = {
    ...loginOf(login),
    ...secure,
    ...connectionOptionsOf(kind, hosts, { path, parameters }),
    ...secureSentinels(kind, secure),
    ...(parameters.has('family') && { family: Number(parameters.get('family')) }),
  };
  return { kind, hosts, options };
}

function hostOf(name: string, defaultPort: number): RedisHost {
  const { hostname, port } = new URL(`redis://${name || 'localhost'}`);
  return { host: hostname.replace(/^\[(.*)\]$/, '$1'), port: Number(port) || defaultPort };
}

function loginOf(login: string): RedisOptions {
  const [username = '', ...rest] = login.split(':').map(decodeURIComponent);
  return { ...(username && { username }), ...(rest.length > 0 && { password: rest.join(':') }) };
}

function connectionOptionsOf(
  kind: RedisAddress['kind'],
  hosts: RedisHost[],
  { path, parameters }: { path: string; parameters: URLSearchParams },
): RedisOptions {
  const parts = path.split('/').slice(1).map(decodeURIComponent);
  if (kind === 'cluster') return {};
  if (kind === 'single') return { ...hosts[0], db: Number(parts[0] || 0) };
  const [name, db = '0'] = parts;
  if (!name) throw new Error('the URL of Redis lacks the name of the master: redis+sentinel://host:26379/name');
  const logins = sentinelParameters.flatMap((key) => (parameters.has(key) ? [[key, parameters.get(key)]] : []));
  // Without `failoverDetector`, which can permanently close a client while it reconnects. Sentinel
  // itself disconnects the clients of a master that it demotes.
  return { sentinels: hosts, name, db: Number(db), ...Object.fromEntries(logins) };
}

function secureSentinels(kind: RedisAddress['kind'], { tls }: { tls?: ConnectionOptions }): RedisOptions {
  return kind === 'sentinel' && tls ? { enableTLSForSentinelMode: true, sentinelTLS: tls } : {};
}

function tlsOf(parameters: URLSearchParams): ConnectionOptions {
  const read = (name: string) => {
    const path = parameters.get(name);
    return path === null ? undefined : readFileSync(path, 'utf8');
  };
  const [ca, cert, key, servername] = [read('cacert'), read('cert'), read('key'), parameters.get('sni')];
  return {
    ...(ca && { ca }),
    ...(cert && { cert }),
    ...(key && { key }),
    ...(servername && { servername }),
    rejectUnauthorized: parameters.get('insecure') !== 'true',
  };
}

/** The hosts and ports of the URL, as the client reads it. Empty for a Unix socket. */
export function redisEndpoints(url: string): RedisHost[] {
  return parseRedisUrl(url).hosts;
}

/**
 * Calls `onFound` once for each server that the client discovers: the nodes of a cluster, or behind
 * Sentinel the master and its replicas, including after each reconnect and failover.
 */
export function discoverEndpoints(redis: RedisClient, onFound: (host: RedisHost) => void): void {
  const visited = new Set<string>();
  const addHost = ({ host, port }: RedisHost) => {
    if (visited.has(`${host}:${port}`)) return;
    visited.add(`${host}:${port}`);
    onFound({ host, port });
  };
  if (redis instanceof Cluster) {
    redis.on('+node', ({ options: { host, port } }: Redis) => {
      if (host !== undefined && port !== undefined) addHost({ host, port });
    });
    return;
  }
  if (!redis.options.sentinels) return;
  redis.on('ready', () => {
    const { remoteAddress: host, remotePort: port } = redis.stream as { remoteAddress?: string; remotePort?: number };
    if (host !== undefined && port !== undefined) addHost({ host, port });
    redis.info('replication').then(
      (text) => {
        for (const [, replica = '', number] of text.matchAll(/^slave\d+:ip=([^,]+),port=(\d+)/gm))
          addHost({ host: replica, port: Number(number) });
      },
      () => undefined, // requested again after the next reconnect
    );
  });
}
