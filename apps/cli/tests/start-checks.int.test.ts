import { afterAll, afterEach, expect, jest, test } from '@jest/globals';
import { testDatabase, testRedisUrl } from '@sluice/test-support';
import { sql } from 'kysely';
import { checkDatabase, checkRedis, databaseFindings, redisFindings } from '../src/checks/service-checks.ts';

const database = await testDatabase();
afterEach(() => {
  jest.restoreAllMocks();
});
afterAll(() => database.drop());

test('a migrated database and a Redis without eviction have no findings', async () => {
  expect([await checkDatabase(database.url), await checkRedis(testRedisUrl())]).toEqual([[], []]);
});

test.each([
  [-60_000, 'the clock of the database is 60 s ahead of the clock of this machine'],
  [3_600_000, 'the clock of the database is 3600 s behind the clock of this machine'],
])('a clock that is off by %d ms is reported', async (offMs, message) => {
  const now = Date.now;
  jest.spyOn(Date, 'now').mockImplementation(() => now() + offMs);
  expect(await checkDatabase(database.url)).toEqual([
    { level: 'warning', check: 'clock-skew', message, fix: expect.stringContaining('NTP') },
  ]);
});

test('a missing database and an unreachable Redis are reported', async () => {
  const missing = database.url.replace(/sluice_test_\w+/, 'no_such_database');
  expect(await checkDatabase(missing)).toMatchObject([
    { level: 'error', message: expect.stringContaining('database "no_such_database" does not exist') },
  ]);
  const [unnamed] = await checkDatabase('postgres://127.0.0.1:1');
  expect(unnamed?.message).toMatch(/^Postgres at 127\.0\.0\.1:1 (\(database "(?!undefined)[^"]+"\) )?cannot be used: /);
  const redisUrl = testRedisUrl();
  const unreachable = await checkRedis(redisUrl.startsWith('unix://') ? `${redisUrl}.gone` : redisUrl.replace(/:\d+/, ':1'));
  expect(unreachable).toMatchObject([{ check: 'redis-unreachable', fix: expect.stringContaining('REDIS_URL') }]);
});

test('the servers in DATABASE_READ_URL may be standbys', async () => {
  const standby = await testDatabase();
  await sql`DO $$BEGIN EXECUTE format('ALTER DATABASE %I SET default_transaction_read_only = on', current_database()); END$$`.execute(
    standby.db.kysely,
  );
  const several = standby.url.replace(/@([^/?]+)/, '@$1,$1').replace(/host=([^&]+)/, 'host=$1,$1');
  for (const url of [standby.url, several]) {
    expect(await checkDatabase(url)).toMatchObject([{ message: expect.stringContaining('it accepts no writes') }]);
    expect(await checkDatabase(url, 'DATABASE_READ_URL')).toEqual([]);
  }
  await standby.drop();
});

test('servers that are too old are errors', () => {
  const facts = { serverVersion: 140_011, clockAheadMs: 0, unknownMigrations: [], pendingMigrations: [], isPreRelease: false };
  expect(databaseFindings(facts)).toMatchObject([{ level: 'error', message: 'Postgres 14 is too old' }]);
  expect(databaseFindings({ ...facts, serverVersion: 150_000 })).toEqual([]);
  const policies = { evictionPolicies: [], writeProblems: [] };
  expect(redisFindings({ version: '6.0.16', ...policies })).toMatchObject([{ message: 'Redis 6.0.16 is too old' }]);
  expect(redisFindings({ version: '6.2.0', ...policies })).toEqual([]);
  expect(redisFindings({ version: '8.0.1', ...policies })).toEqual([]);
});

test('a database of a pre-release version is an error', async () => {
  const database = await testDatabase();
  await sql`INSERT INTO kysely_migration (name, timestamp) VALUES ('20261120T1000-create-tables', '')`.execute(
    database.db.kysely,
  );
  expect(await checkDatabase(database.url)).toMatchObject([{ level: 'error', check: 'database-pre-release' }]);
  await database.drop();
});
