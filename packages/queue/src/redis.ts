import { errorMessage, UnavailableError, within } from '@sluice/domain';
import type { Logger } from '@sluice/logger';
import { Cluster, Redis, type RedisOptions } from 'ioredis';
import { parseRedisUrl } from './redis-address.ts';

/** A connection to a server, directly or through Sentinel, or to the nodes of a cluster. */
export type RedisClient = Redis | Cluster;

/**
 * `producer`: fails fast while Redis is unreachable. `consumer`: waits for it without limit, as
 * BullMQ workers require. `subscriber`: a connection in subscriber mode; it subscribes again by
 * itself after a reconnect.
 */
type RedisRole = 'producer' | 'consumer' | 'subscriber';

/** Seconds for which a BullMQ worker waits in one command, while its connection is silent. */
export const jobWaitSeconds = 2;

/**
 * `socketTimeout`: milliseconds after which a connection that should have responded is replaced.
 * The server may disappear without a notification, which TCP would detect only after up to 15
 * minutes.
 */
const roleOptions = {
  producer: { enableOfflineQueue: false, maxRetriesPerRequest: 1, commandTimeout: 2_000, socketTimeout: 3_000 },
  consumer: { maxRetriesPerRequest: null, socketTimeout: jobWaitSeconds * 1_000 + 2_000 },
  subscriber: { maxRetriesPerRequest: null, socketTimeout: 3_000 },
} satisfies Record<RedisRole, RedisOptions>;
/**
 * Interval of pings on a connection that may be idle for long, and would not detect its loss
 * otherwise.
 */
const pingMs = 2_000;

const retryStrategy = (tries: number) => Math.min(tries * 50, 1_000);

/**
 * A connection to the Redis that `parseRedisUrl` reads. It connects in the background and
 * reconnects within a second, without limit; errors are logged, not thrown.
 */
export function createRedis(url: string, role: RedisRole, logger: Logger): RedisClient {
  const redis = connect(url, role);
  let down = false;
  redis.on('error', (error: unknown) => {
    if (!down) logger.warn({ role, error: errorMessage(error) }, 'redis connection failed');
    down = true;
  });
  redis.on('ready', () => {
    if (down) logger.info({ role }, 'redis connection restored');
    down = false;
  });
  if (redis instanceof Cluster) redis.on('+node', expectFurtherErrors);
  else expectFurtherErrors(redis);
  if (role !== 'producer') keepPinging(redis);
  return redis;
}

/**
 * A TLS connection that failed because of the server's certificate may fail again, by an alert of
 * the server. ioredis listens for one error, and a further one would end the process.
 */
function expectFurtherErrors(redis: Redis): void {
  redis.on('error', () => redis.stream?.on('error', () => undefined));
}

/** Until the connection is closed. In a cluster, pings would take another connection. */
function keepPinging(redis: RedisClient): void {
  if (redis instanceof Cluster) return;
  const ping = () => {
    if (redis.status === 'ready') redis.ping().catch(() => undefined); // the socket timeout replaces the connection
  };
  const timer = setInterval(ping, pingMs).unref();
  redis.once('end', () => clearInterval(timer));
}

function connect(url: string, role: RedisRole): RedisClient {
  const { kind, hosts, options } = parseRedisUrl(url);
  const common = { ...options, ...roleOptions[role], connectTimeout: 2_000 };
  if (kind !== 'cluster')
    return new Redis({ ...common, retryStrategy, sentinelRetryStrategy: retryStrategy, reconnectOnError: isDemoted });
  const { enableOfflineQueue, ...redisOptions } = { enableOfflineQueue: true, ...common };
  return new Cluster(hosts, {
    enableOfflineQueue,
    maxRedirections: 10, // a producer gives up after about a second
    redisOptions,
    clusterRetryStrategy: retryStrategy,
    slotsRefreshInterval: 5_000,
    dnsLookup: (address, callback) => callback(null, address), // certificates are issued for the name
  });
}

/** Reconnects and repeats the command: after a failover, the old master is a replica. */
function isDemoted(error: Error): 2 | false {
  return error.message.startsWith('READONLY') ? 2 : false;
}

/** Closes a connection, without waiting for a server that does not respond. */
export async function closeRedis(redis: RedisClient): Promise<void> {
  if (redis.status === 'ready')
    await within(
      500,
      redis.quit().catch(() => undefined),
    );
  redis.disconnect();
}

const isAway =
  /Connection is closed|Stream isn't writeable|Command timed out|max retries per request|ECONN|EPIPE|ENOENT|LOADING|READONLY|MASTERDOWN|UNBLOCKED/;
const isClusterAway =
  /CLUSTERDOWN|TRYAGAIN|Cluster isn't ready|Too many Cluster redirections|slots cache|None of startup nodes/;

/** Its memory is full, it cannot write to its disk, or it has too few replicas. */
const isRefusingWrites = /^(OOM|MISCONF|NOREPLICAS) /;

/**
 * Translates errors of ioredis while the server is unreachable or accepts no writes; other errors
 * are returned unchanged.
 */
export function translateRedisError(error: unknown): unknown {
  const text = errorMessage(error);
  if (isRefusingWrites.test(text)) return new UnavailableError('redis accepts no writes', error);
  return isAway.test(text) || isClusterAway.test(text) ? new UnavailableError('redis cannot be reached', error) : error;
}
