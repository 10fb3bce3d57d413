import type { Config, requireServices } from '@sluice/config';
import { createDatabase } from '@sluice/db';
import type { Logger } from '@sluice/logger';
import { closeRedis, createRedis } from '@sluice/queue';

export type Urls = ReturnType<typeof requireServices>;

/** Connections to Postgres and Redis. They open in the background and reconnect automatically. */
export function createConnections(
  { database: { poolSize }, worker }: Config,
  { databaseUrl: url, redisUrl }: Urls,
  logger: Logger,
) {
  const db = createDatabase({ url, poolSize, applicationName: 'sluice-worker' });
  // Separate connections, so that a busy pool does not cause the loss of the lease. If a renewal
  // gets no response, there is time for another one.
  const silenceMs = Math.max(2_000, worker.leaseMs / 3);
  const leaseDb = createDatabase({ url, poolSize: 2, silenceMs, applicationName: 'sluice-worker-lease' });
  const producer = createRedis(redisUrl, 'producer', logger);
  // Waits for jobs.
  const blocking = createRedis(redisUrl, 'consumer', logger);
  const subscriber = createRedis(redisUrl, 'subscriber', logger);
  const close = async () => {
    await Promise.allSettled([producer, blocking, subscriber].map(closeRedis));
    await Promise.allSettled([db.close(), leaseDb.close()]);
  };
  return { db, leaseDb, producer, blocking, subscriber, close };
}

export type Connections = ReturnType<typeof createConnections>;
