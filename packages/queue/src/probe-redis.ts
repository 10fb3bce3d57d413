import { errorMessage, inTime, UnavailableError } from '@sluice/domain';
import { Cluster, Redis } from 'ioredis';
import { parseRedisUrl, type RedisAddress, type RedisHost } from './redis-address.ts';

/** Facts about the servers of a Redis, for checks at startup. */
export interface RedisFacts {
  /** For example, `6.2.14`; in a cluster, the version of one node. */
  version: string;
  /** Eviction policies other than `noeviction`: Redis drops jobs when its memory is full. */
  evictionPolicies: readonly string[];
  /** Why the servers accept no writes; empty if they accept them. */
  writeProblems: readonly string[];
}

/** Like the database's. */
const timeoutMs = 3_000;
const once = { retryStrategy: () => null, sentinelRetryStrategy: () => null, maxRetriesPerRequest: 0, lazyConnect: true };

/**
 * Connects to the Redis that `parseRedisUrl` reads, without retries. Throws `UnavailableError`
 * within five seconds; its message names hosts, ports, and cause.
 */
export async function probeRedis(url: string): Promise<RedisFacts> {
  const { kind, hosts, options: parsed } = parseRedisUrl(url);
  const addresses = hosts.map(({ host, port }) => `${host}:${port}`).join(', ') || `the socket ${parsed.path}`;
  let lastError: unknown;
  const redis = kind === 'cluster' ? clusterOf(hosts, parsed) : new Redis({ ...parsed, ...once });
  redis.on('error', (error) => {
    lastError = error;
  });
  redis.on('node error', (error) => {
    lastError = error;
  });
  try {
    const facts = redis.connect().then(() => readFacts(redis));
    return await inTime(facts, timeoutMs);
  } catch (error) {
    throw new UnavailableError(`${nameOf(kind)} at ${addresses} cannot be used: ${causeOf(lastError ?? error)}`, error);
  } finally {
    redis.disconnect();
  }
}

function clusterOf(hosts: readonly RedisHost[], options: RedisAddress['options']): Cluster {
  return new Cluster([...hosts], {
    redisOptions: options,
    clusterRetryStrategy: () => null,
    lazyConnect: true,
    dnsLookup: (address, callback) => callback(null, address), // certificates are issued for the name
  });
}

function nameOf(kind: RedisAddress['kind']): string {
  return { single: 'Redis', sentinel: 'the Sentinels of Redis', cluster: 'the Redis Cluster' }[kind];
}

async function readFacts(redis: Redis | Cluster): Promise<RedisFacts> {
  const nodes = redis instanceof Cluster ? redis.nodes('master') : [redis];
  const infos = await Promise.all(nodes.map(async (node) => node.info()));
  const policies = infos.map((info) => /^maxmemory_policy:(\S+)/m.exec(info)?.[1] ?? 'noeviction');
  return {
    version: /^redis_version:(\S+)/m.exec(infos[0] ?? '')?.[1] ?? '',
    evictionPolicies: [...new Set(policies.filter((policy) => policy !== 'noeviction'))],
    writeProblems: [...new Set(infos.flatMap(writeProblems))],
  };
}

/** Derived from the output of INFO, which does not show missing replicas. */
function writeProblems(info: string): string[] {
  const field = (name: string) => new RegExp(`^${name}:(\\S+)`, 'm').exec(info)?.[1] ?? '';
  const limit = Number(field('maxmemory'));
  const isFull = limit > 0 && Number(field('used_memory')) >= limit;
  const disk = [field('rdb_last_bgsave_status'), field('aof_last_write_status')];
  return [
    ...(field('role') === 'slave' ? ['it is a replica'] : []),
    ...(isFull ? [`its memory is full (maxmemory is ${limit} bytes)`] : []),
    ...(disk.includes('err') ? ['it cannot write to its disk'] : []),
  ];
}

/** `localhost` may resolve to several addresses, each with its own error. */
function causeOf(error: unknown): string {
  if (error instanceof AggregateError) return [...new Set(error.errors.map(causeOf))].join(', ');
  const { message, code, lastNodeError } = error as { message?: string; code?: string; lastNodeError?: unknown };
  if (lastNodeError) return causeOf(lastNodeError); // a cluster's own message does not contain the cause
  return message || code || errorMessage(error);
}
