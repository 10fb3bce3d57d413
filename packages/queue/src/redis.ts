import { errorMessage, UnavailableError, within } from '@sluice/domain';
import type { Logger } from '@sluice/logger';
import { Redis, type RedisOptions } from 'ioredis';

/**
 * `producer`: fails fast while Redis is unreachable. `consumer`: waits for it without limit, as
 * BullMQ workers require. `subscriber`: a connection in subscriber mode; it subscribes again by
 * itself after a reconnect.
 */
export type RedisRole = 'producer' | 'consumer' | 'subscriber';

/**
 * `socketTimeout`: milliseconds after which a connection that should have responded is replaced. The
 * server may be gone without a notification, and TCP would notice after up to 15 minutes. A BullMQ
 * worker waits up to 5 seconds for a job.
 */
const roleOptions = {
  producer: { enableOfflineQueue: false, maxRetriesPerRequest: 1, commandTimeout: 2_000, socketTimeout: 3_000 },
  consumer: { maxRetriesPerRequest: null, socketTimeout: 8_000 },
  subscriber: { maxRetriesPerRequest: null, socketTimeout: 5_000 },
} satisfies Record<RedisRole, RedisOptions>;
/** Interval of pings of a subscriber, which otherwise sends nothing and expects no response. */
const pingMs = 2_000;

/**
 * A connection to Redis. `url`: `redis://…`, `rediss://…`, or `unix:///path/to/socket`. It connects
 * in the background and reconnects within a second, without limit; errors are logged, not thrown.
 */
export function createRedis(url: string, role: RedisRole, logger: Logger): Redis {
  const options = {
    ...roleOptions[role],
    connectTimeout: 2_000,
    retryStrategy: (tries: number) => Math.min(tries * 50, 1_000),
  };
  const redis = url.startsWith('unix://')
    ? new Redis({ ...options, path: url.slice('unix://'.length) })
    : new Redis(url, options);
  let down = false;
  redis.on('error', (error: unknown) => {
    if (!down) logger.warn({ role, error: errorMessage(error) }, 'redis connection failed');
    down = true;
  });
  redis.on('ready', () => {
    if (down) logger.info({ role }, 'redis connection is back');
    down = false;
  });
  if (role === 'subscriber') keepPinging(redis);
  return redis;
}

/** Until the connection is closed. */
function keepPinging(redis: Redis): void {
  const ping = () => {
    if (redis.status === 'ready') redis.ping().catch(() => undefined); // the socket timeout replaces the connection
  };
  const timer = setInterval(ping, pingMs).unref();
  redis.once('end', () => clearInterval(timer));
}

/** Closes a connection, without waiting for a server that does not respond. */
export async function closeRedis(redis: Redis): Promise<void> {
  if (redis.status === 'ready')
    await within(
      500,
      redis.quit().catch(() => undefined),
    );
  redis.disconnect();
}

/**
 * Translates errors of ioredis while the server is unreachable; other errors are returned
 * unchanged.
 */
export function translateRedisError(error: unknown): unknown {
  const text = errorMessage(error);
  const away =
    /Connection is closed|Stream isn't writeable|Command timed out|max retries per request|ECONN|EPIPE|ENOENT|LOADING|READONLY|MASTERDOWN/;
  return away.test(text) ? new UnavailableError('redis cannot be reached', error) : error;
}
