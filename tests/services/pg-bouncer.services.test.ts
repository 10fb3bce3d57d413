import { afterAll, expect, test } from '@jest/globals';
import { createDatabase, migrateToLatest } from '@sluice/db';
import { serverOrSkip, startPgBouncer, startPostgresServer, type TestServer } from '@sluice/test-support/servers';
import { stopIn } from '../e2e/support/cleanup.ts';
import { queryDatabase } from '../e2e/support/database.ts';
import { LoopbackServer } from '../e2e/support/loopback-server.ts';
import { startOwnRedis } from '../e2e/support/own-servers.ts';
import { createWorkflow } from '../e2e/support/runs.ts';
import { callsInARow } from '../e2e/support/workflows.ts';
import { Load, untilAllSucceeded } from './support/load.ts';
import { startSmallFleet } from './support/small-fleet.ts';

const serverConnections = 6;
const stopAfterAll = stopIn(afterAll);
const closeAfterAll = <Server extends TestServer>(server: Server): Server => {
  stopAfterAll({ stop: () => server.close() });
  return server;
};

const postgres = await startPostgresServer();
const bouncer = await serverOrSkip('PgBouncer', () => startPgBouncer(postgres, { serverConnections }));
if (bouncer) closeAfterAll(postgres);
else await postgres.close();
const withBouncer = bouncer ? test : test.skip;
const url = `postgres://ann@127.0.0.1:${bouncer?.port}/postgres?pgbouncer=true`;

withBouncer('processes that migrate concurrently through PgBouncer run each migration once', async () => {
  closeAfterAll(bouncer as TestServer);
  const databases = Array.from({ length: 3 }, () => createDatabase({ url, poolSize: 2, statementTimeoutMs: 0 }));
  const ran = await Promise.all(databases.map(migrateToLatest)).finally(() => Promise.all(databases.map((one) => one.close())));
  expect(ran.map(({ length }) => length).sort((a, b) => a - b)).toEqual([0, 0, ran.flat().length]);
  const locks = await queryDatabase(postgres.url, `SELECT FROM pg_locks WHERE locktype = 'advisory'`);
  expect(locks).toEqual([]);
});

withBouncer('a fleet shares few server connections through PgBouncer, even when it restarts under load', async () => {
  const redis = stopAfterAll(await startOwnRedis());
  const server = stopAfterAll(await LoopbackServer.start());
  const fleet = stopAfterAll(await startSmallFleet({ DATABASE_URL: url, REDIS_URL: redis.url }));
  const workflowId = await createWorkflow(fleet.callers[0], callsInARow(server.url, ['/effect']));

  const load = stopAfterAll(new Load(fleet.callers, workflowId));
  await load.more(100);
  expect(await connections()).toBeLessThanOrEqual(serverConnections);
  await bouncer?.kill();
  closeAfterAll(await startPgBouncer(postgres, { serverConnections, port: bouncer?.port as number }));
  await load.more(100);

  expect(await load.outcomes()).toEqual({ success: load.accepted.length });
  await untilAllSucceeded(postgres.url, () => server.calls('/effect'));
  const output = fleet.processes.map((one) => one.output()).join('');
  expect(output).not.toMatch(/prepared statement|unsupported startup parameter/);
});

async function connections(): Promise<number> {
  const query = `SELECT count(*)::int FROM pg_stat_activity WHERE backend_type = 'client backend' AND pid <> pg_backend_pid()`;
  return (await queryDatabase<{ count: number }>(postgres.url, query))[0]?.count ?? 0;
}
