import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { aSmallWorkflow, eventually } from '@sluice/test-support';
import { Gate } from '../chaos/gate.ts';
import { type RunningProcess, startApi, startWorker } from './harness.ts';
import { endedBy } from './support/cleanup.ts';
import { startOwnPostgres, startOwnRedis } from './support/own-servers.ts';
import { type Caller, callerOf, createWorkflow, run } from './support/runs.ts';

/** Time to notice the loss and to connect again; it is at most 15 seconds on a quiet machine. */
const recoversWithinMs = 45_000;
/** A run whose end is not notified responds after the 10 seconds of `RUN_WAIT_MS`. */
const notifiedWithinMs = 8_000;

const ended = endedBy(afterAll);
let gates: Record<'Postgres' | 'Redis', Gate>;
let api: RunningProcess & Caller;
let workflowId: string;

beforeAll(async () => {
  const [postgres, redis] = [ended(await startOwnPostgres()), ended(await startOwnRedis())];
  const directory = decodeURIComponent(postgres.url.replace(/^.*host=/, ''));
  gates = {
    Postgres: ended(await Gate.start(`${directory}/.s.PGSQL.5432`)),
    Redis: ended(await Gate.start(new URL(redis.url).pathname)),
  };
  const urls = {
    DATABASE_URL: `postgresql://sluice@127.0.0.1:${gates.Postgres.port}/sluice`,
    REDIS_URL: `redis://127.0.0.1:${gates.Redis.port}`,
  };
  const key = 'a-key-of-the-half-open-tests';
  const started = ended(await startApi({ ...urls, BOOTSTRAP_API_KEY: key }));
  api = { ...started, ...callerOf(started, key) };
  ended(await startWorker(urls));
  workflowId = await eventually(() => createWorkflow(api, aSmallWorkflow()));
});

test.each(['Redis', 'Postgres'] as const)(
  'connections whose %s is gone without a notification are replaced, and runs and their notifications continue',
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
