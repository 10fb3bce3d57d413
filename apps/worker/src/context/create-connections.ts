import type { Config, requireServices } from '@sluice/config';
import { createDatabase, type Database } from '@sluice/db';
import type { Logger } from '@sluice/logger';
import { closeRedis, createRedis } from '@sluice/queue';

type Redis = ReturnType<typeof createRedis>;
type Urls = ReturnType<typeof requireServices>;

export interface Connections {
  db: Database;
  /** Separate connections, so that a busy pool does not cause the loss of the lease. */
  leaseDb: Database;
  producer: Redis;
  /** Waits for jobs. */
  blocking: Redis;
  subscriber: Redis;
  close(): Promise<void>;
}

/** Connections to Postgres and Redis. They open in the background and reconnect automatically. */
export function createConnections(
  { database: { poolSize } }: Config,
  { databaseUrl: url, redisUrl }: Urls,
  logger: Logger,
): Connections {
  const db = createDatabase({ url, poolSize, applicationName: 'sluice-worker' });
  const leaseDb = createDatabase({ url, poolSize: 2, applicationName: 'sluice-worker-lease' });
  const producer = createRedis(redisUrl, 'producer', logger);
  const blocking = createRedis(redisUrl, 'consumer', logger);
  const subscriber = createRedis(redisUrl, 'subscriber', logger);
  const close = async () => {
    await Promise.allSettled([producer, blocking, subscriber].map(closeRedis));
    await Promise.allSettled([db.close(), leaseDb.close()]);
  };
  return { db, leaseDb, producer, blocking, subscriber, close };
}
