import { once } from 'node:events';
import { createServer } from 'node:net';
import { afterAll, expect, test } from '@jest/globals';
import { sql } from 'kysely';
import { eventually, testDatabase, testRedisPrefix, watchForLeaks } from '../src/index.ts';

const assertNoLeaks = watchForLeaks();
const [first, second] = await Promise.all([testDatabase(), testDatabase()]);
afterAll(async () => {
  await Promise.all([first.drop(), second.drop()]);
  await assertNoLeaks();
});

test('each test database is migrated, empty, and independent of others', async () => {
  await sql`create table only_here ()`.execute(first.db.kysely);

  const tables = await sql<{ name: string }>`select tablename as name from pg_tables where schemaname = 'public'`.execute(
    second.db.kysely,
  );

  const names = tables.rows.map((row) => row.name);
  expect(names).toContain('executions');
  expect(names).not.toContain('only_here');
});

test('every call returns a different Redis prefix', () => {
  expect(testRedisPrefix()).not.toBe(testRedisPrefix());
});

test('eventually rejects with the last failure after its timeout', async () => {
  await expect(eventually(() => Promise.reject(new Error('not yet')), { timeoutMs: 30 })).rejects.toThrow('not yet');
  await expect(eventually(() => false, { timeoutMs: 30 })).rejects.toThrow('did not become true');
});

test('an open resource is reported with its kind, and a timer also with its location, until it is closed', async () => {
  const nothingLeft = watchForLeaks();
  const timer = setInterval(() => undefined, 60_000);
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const report = /^left open: TCPServerWrap 1.*, Timeout 1 \(.*test-database\.int\.test\.ts.*\)$/;
  await expect(nothingLeft({ timeoutMs: 30 })).rejects.toThrow(report);
  clearInterval(timer);
  await new Promise((resolve) => server.close(resolve));
  await nothingLeft();
});
