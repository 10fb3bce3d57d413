import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, expect, test } from '@jest/globals';
import { createDatabase, ReplicaReader } from '@sluice/db';
import { createLogger } from '@sluice/logger';
import { eventually } from '@sluice/test-support';
import { type PostgresServer, startPostgresServer, startStandby } from '@sluice/test-support/servers';
import { sql } from 'kysely';

const maxLagMs = 1_000;
let servers: { primary: PostgresServer; standby: PostgresServer };

const first = await startPostgresServer();
servers = { primary: first, standby: await startStandby(first) };
const [primary, replica] = [createDatabase({ url: servers.primary.url }), createDatabase({ url: servers.standby.url })];
const logger = createLogger({ name: 'test', level: 'silent' });
const lists = new ReplicaReader({ primary, replica, maxLagMs, readerOf: (db) => db, logger });
afterAll(async () => {
  lists.close();
  await Promise.all([primary.close(), replica.close()]);
  await Promise.all([servers.standby.close(), servers.primary.close()]);
});

const portRead = () =>
  lists.read(async ({ kysely }) => {
    const { rows } = await sql<{ port: number }>`SELECT inet_server_port() AS port`.execute(kysely);
    return rows[0]?.port;
  });
const untilReadFrom = (server: PostgresServer) => eventually(async () => (await portRead()) === server.port);

test('lists are read from the replica even while the primary is idle', async () => {
  await untilReadFrom(servers.standby);
  await delay(2 * maxLagMs); // longer than an idle replica can seem to lag
  expect(await portRead()).toBe(servers.standby.port);
});

test('a replica that lags is not used until it has caught up', async () => {
  await untilReadFrom(servers.standby);
  await sql`SELECT pg_wal_replay_pause()`.execute(replica.kysely);
  await sql`CREATE TABLE of_the_primary ()`.execute(primary.kysely);
  await untilReadFrom(servers.primary);
  await lists.read(({ kysely }) => sql`SELECT FROM of_the_primary`.execute(kysely));

  await sql`SELECT pg_wal_replay_resume()`.execute(replica.kysely);
  await untilReadFrom(servers.standby);
});

test('a read whose replica dies falls back to the primary without an error', async () => {
  await untilReadFrom(servers.standby);
  await servers.standby.kill();
  expect(await portRead()).toBe(servers.primary.port);
});
