import { afterAll, expect, test } from '@jest/globals';
import { createDatabase, migrateToLatest } from '@sluice/db';
import { runCommand } from '@sluice/embedded';
import { startPostgresServer } from '@sluice/test-support/servers';
import { type Settings, startApi, startWorker } from '../e2e/harness.ts';
import { stopIn } from '../e2e/support/cleanup.ts';
import { LoopbackServer } from '../e2e/support/loopback-server.ts';
import { startOwnRedis } from '../e2e/support/own-servers.ts';
import { callerOf, createWorkflow } from '../e2e/support/runs.ts';
import { callsInARow } from '../e2e/support/workflows.ts';
import { Load, untilAllSucceeded } from './support/load.ts';
import { previousRelease } from './support/previous-release.ts';

const previous = await previousRelease();
const withPrevious = previous ? test : test.skip;
const stopAfterAll = stopIn(afterAll);
const key = 'a-key-of-the-upgrade-tests';

withPrevious('two releases that run side by side on the schema of the newer one lose no execution under load', async () => {
  const program = previous?.program ?? [];
  const postgres = await startPostgresServer();
  stopAfterAll({ stop: () => postgres.close() });
  const redis = stopAfterAll(await startOwnRedis());
  const server = stopAfterAll(await LoopbackServer.start());
  const settings: Settings = {
    DATABASE_URL: postgres.url,
    REDIS_URL: redis.url,
    BOOTSTRAP_API_KEY: key,
    LEASE_MS: '5000',
    SSRF_ALLOW: '127.0.0.1',
  };
  await runCommand(process.execPath, [...program, 'migrate'], { env: { DATABASE_URL: postgres.url } });
  const oldApi = stopAfterAll(await startApi(settings, program));
  const oldWorker = stopAfterAll(await startWorker(settings, program));
  const old = callerOf(oldApi, key);
  const workflowId = await createWorkflow(old, callsInARow(server.url, ['/effect']));
  const before = stopAfterAll(new Load([old], workflowId));
  await before.more(50);

  const database = createDatabase({ url: postgres.url, poolSize: 2, statementTimeoutMs: 0 });
  await migrateToLatest(database).finally(() => database.close());
  const newApi = stopAfterAll(await startApi(settings));
  stopAfterAll(await startWorker(settings));
  const meanwhile = stopAfterAll(new Load([callerOf(newApi, key)], workflowId));
  await Promise.all([before.more(50), meanwhile.more(50)]);
  await Promise.all([before.stop(), oldWorker.stop()]);
  await oldApi.stop();
  await meanwhile.more(50);

  expect(await meanwhile.outcomes()).toEqual({ success: meanwhile.accepted.length });
  await untilAllSucceeded(postgres.url, () => server.calls('/effect'));
});
