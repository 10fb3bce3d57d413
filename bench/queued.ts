import { createLogger } from '@sluice/logger';
import { closeRedis, createRedis, runExecution } from '@sluice/queue';
import { Queue } from 'bullmq';
import type { Measurement } from './bench.ts';
import { untilDrained } from './ceiling.ts';
import { load, loadTarget } from './http-load.ts';
import { webhookToSet } from './throughput-cases.ts';

/**
 * Measures while the worker is suspended. `accepted`: webhook requests per second, over 50
 * connections. `stopManyMs`: milliseconds that a single request then takes to stop all of these
 * executions. Throws if the number of stopped executions differs.
 */
export const measureQueued: Measurement = async ({ stack, fleet, quick, resources }) => {
  const workflowId = await fleet.activate({ name: 'queued', settings: {}, ...webhookToSet('queued') });
  const target = loadTarget(fleet.port, 'POST', '/webhook/queued', { body: { n: 21 } });
  const redis = createRedis(stack.redisUrl, 'consumer', createLogger({ name: 'bench', level: 'warn' }));
  const queue = new Queue(runExecution.queue, { connection: redis, prefix: 'sluice' });
  resources.defer(async () => {
    await queue.close();
    await closeRedis(redis);
  });

  const round = async (executions: number) => {
    const figures = await fleet.withoutWorkers(async () => {
      const accepted = executions / (await load(target, executions, 50));
      const startedAt = performance.now();
      const filter = { workflowId, status: ['queued'] };
      const { stopped } = await fleet.call<{ stopped: number }>('POST', '/api/v1/executions/stopMany', { filter });
      const stopManyMs = performance.now() - startedAt;
      if (stopped !== executions) throw new Error(`stopped ${stopped} of ${executions} executions`);
      return { accepted, stopManyMs };
    });
    await untilDrained(queue); // the worker discards the jobs of the stopped executions
    return figures;
  };
  await round(500); // warm-up
  return () => round(quick ? 1_000 : 10_000);
};
