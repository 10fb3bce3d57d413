import { createLogger } from '@sluice/logger';
import { createRedis } from '@sluice/queue';
import { Worker } from 'bullmq';
import pg from 'pg';

/**
 * Upper bound for executions: a BullMQ worker that does nothing, or one insert and one update per
 * job. Arguments: queue name, concurrency, Redis URL, and, for the two writes, the database URL.
 * Sends `ready` to the parent process.
 */
const [queue = '', concurrency = '50', redisUrl = '', databaseUrl] = process.argv.slice(2);
const logger = createLogger({ name: 'ceiling', level: 'warn' });
const pool = databaseUrl ? new pg.Pool({ connectionString: databaseUrl, max: 10 }) : undefined;

async function twoWrites(data: { n: number }): Promise<void> {
  const inserted = await pool?.query({
    name: 'ceiling-insert',
    text: 'INSERT INTO ceiling (job, status) VALUES ($1, $2) RETURNING id',
    values: [data.n, 'running'],
  });
  await pool?.query({
    name: 'ceiling-update',
    text: 'UPDATE ceiling SET status = $2 WHERE id = $1',
    values: [inserted?.rows[0].id, 'success'],
  });
}

const worker = new Worker(queue, async (job) => (pool ? twoWrites(job.data) : undefined), {
  connection: createRedis(redisUrl, 'consumer', logger),
  concurrency: Number(concurrency),
});
await worker.waitUntilReady();
process.send?.('ready');
