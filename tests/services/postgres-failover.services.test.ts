import { afterAll, expect, test } from '@jest/globals';
import { createDatabase, migrateToLatest } from '@sluice/db';
import { eventually } from '@sluice/test-support';
import { type PostgresServer, startPostgresServer, startStandby } from '@sluice/test-support/servers';
import { stopIn } from '../e2e/support/cleanup.ts';
import { queryDatabase } from '../e2e/support/database.ts';
import { LoopbackServer } from '../e2e/support/loopback-server.ts';
import { startOwnRedis } from '../e2e/support/own-servers.ts';
import { type Caller, createWorkflow } from '../e2e/support/runs.ts';
import { callsInARow } from '../e2e/support/workflows.ts';
import { Load, untilAllSucceeded } from './support/load.ts';
import { startSmallFleet } from './support/small-fleet.ts';

const stopAfterAll = stopIn(afterAll);
const closeAfterAll = <Server extends PostgresServer>(server: Server): Server => {
  stopAfterAll({ stop: () => server.close() });
  return server;
};

test('a failover of Postgres under load loses no execution and repeats no node', async () => {
  const primary = closeAfterAll(await startPostgresServer());
  const standby = closeAfterAll(await startStandby(primary));
  await queryDatabase(primary.url, `ALTER SYSTEM SET synchronous_standby_names = '*'`);
  await queryDatabase(primary.url, 'SELECT pg_reload_conf()');
  const setUp = createDatabase({ url: primary.url, poolSize: 1 });
  await migrateToLatest(setUp).finally(() => setUp.close());
  const redis = stopAfterAll(await startOwnRedis());
  const server = stopAfterAll(await LoopbackServer.start());
  // The standby comes first: the processes must find the primary.
  const url = `postgres://ann@127.0.0.1:${standby.port},127.0.0.1:${primary.port}/postgres?target_session_attrs=read-write`;
  const fleet = stopAfterAll(
    await startSmallFleet({ DATABASE_URL: url, DATABASE_READ_URL: standby.url, REDIS_URL: redis.url }),
  );
  const workflowId = await createWorkflow(fleet.callers[0], callsInARow(server.url, ['/effect']));

  const load = stopAfterAll(new Load(fleet.callers, workflowId));
  await load.more(100);
  await eventually(() => readsLists(fleet.callers[0], standby));
  await primary.kill();
  await queryDatabase(standby.url, 'SELECT pg_promote()');
  await load.more(100);

  expect(await load.outcomes()).toEqual({ success: load.accepted.length });
  await untilAllSucceeded(standby.url, () => server.calls('/effect'));
});

/** Whether the API reads lists of executions from the standby. */
async function readsLists(caller: Caller, { url }: PostgresServer): Promise<boolean> {
  expect((await caller.call('GET', '/executions?limit=5')).body.data).toHaveLength(5);
  const query = `SELECT FROM pg_stat_activity WHERE application_name = 'sluice-api-lists' AND query LIKE '%"executions"%'`;
  return (await queryDatabase(url, query)).length > 0;
}
