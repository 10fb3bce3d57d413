import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { aSmallWorkflow, eventually } from '@sluice/test-support';
import { Gate } from '../chaos/gate.ts';
import { type RunningProcess, startApi, startWorker } from './harness.ts';
import { stopIn } from './support/cleanup.ts';
import { startOwnPostgres, startOwnRedis } from './support/own-servers.ts';
import { type Caller, callerOf, createWorkflow, run } from './support/runs.ts';

/** Time to detect the loss and reconnect: at most 15 seconds on an idle machine. */
const recoversWithinMs = 45_000;
/**
 * Without the notification of its end, a run responds only after `RUN_WAIT_MS`, which is 10
 * seconds.
 */
const notifiedWithinMs = 8_000;

const stopAfterAll = stopIn(afterAll);
let gates: Record<'Postgres' | 'Redis', Gate>;
let api: RunningProcess & Caller;
let workflowId: string;

beforeAll(async () => {
  const [postgres, redis] = [stopAfterAll(await startOwnPostgres()), stopAfterAll(await startOwnRedis())];
  const directory = decodeURIComponent(postgres.url.replace(/^.*host=/, ''));
  gates = {
    Postgres: stopAfterAll(await Gate.start(`${directory}/.s.PGSQL.5432`)),
    Redis: stopAfterAll(await Gate.start(new URL(redis.url).pathname)),
  };
  const urls = {
    DATABASE_URL: `postgresql://sluice@127.0.0.1:${gates.Postgres.port}/sluice`,
    REDIS_URL: `redis://127.0.0.1:${gates.Redis.port}`,
  };
  const key = 'a-key-of-the-half-open-tests';
  const started = stopAfterAll(await startApi({ ...urls, BOOTSTRAP_API_KEY: key }));
  api = { ...started, ...callerOf(started, key) };
  stopAfterAll(await startWorker(urls));
  workflowId = await eventually(() => createWorkflow(api, aSmallWorkflow()));
});

test.each(['Redis', 'Postgres'] as const)(
  'half-open connections to %s are replaced, and runs and their notifications continue',
  async (server) => {
    await run(api, workflowId);

    gates[server].halfOpen();

    await eventually(
      async () => {
        const before = performance.now();
        expect((await run(api, workflowId)).status).toBe('success');
        expect(performance.now() - before).toBeLessThan(notifiedWithinMs);
      },
      { timeoutMs: recoversWithinMs },
    );
  },
);
