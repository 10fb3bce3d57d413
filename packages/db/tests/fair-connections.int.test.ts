import { afterAll, afterEach, expect, test } from '@jest/globals';
import { createDatabase, type Database, onBehalfOf } from '@sluice/db';
import { testDatabase } from '@sluice/test-support';
import { sql } from 'kysely';

const database = await testDatabase();
afterAll(() => database.drop());

const open: Database[] = [];
afterEach(async () => void (await Promise.all(open.splice(0).map((db) => db.close()))));

/** A database with one connection for statements that are not `byKey`. */
function aDatabase(): Database {
  const db = createDatabase({ url: database.url, poolSize: 2 });
  open.push(db);
  return db;
}

const sleep = (seconds: number) => sql`SELECT pg_sleep(${seconds})`;

test('a user waits for one statement of another user, not for all of them', async () => {
  const db = aDatabase();
  const ended: string[] = [];
  const run = (user: string) => onBehalfOf(user, () => sleep(0.02).execute(db.kysely)).finally(() => void ended.push(user));
  const hostile = Array.from({ length: 30 }, () => run('hostile'));
  await run('one');
  await run('other');
  expect(ended.indexOf('one')).toBeLessThanOrEqual(2);
  expect(ended.indexOf('other')).toBeLessThanOrEqual(5);
  await Promise.all(hostile);
});

test('a transaction counts as one statement, and its connection is free again after an error', async () => {
  const db = aDatabase();
  const failing = onBehalfOf('user', () =>
    db.kysely.transaction().execute(async (tx) => {
      await sleep(0).execute(tx);
      await sql`SELECT 1 / 0`.execute(tx);
    }),
  );
  await expect(failing).rejects.toThrow();
  for (let count = 0; count < 4; count += 1) await onBehalfOf('user', () => sleep(0).execute(db.kysely));
});

test('statements that wait longer than a connection may take are refused as unavailable', async () => {
  const db = aDatabase();
  const results = await Promise.allSettled(
    Array.from({ length: 4 }, () => onBehalfOf('user', () => sleep(1.5).execute(db.kysely))),
  );
  expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected', 'rejected']);
  expect((results[3] as PromiseRejectedResult).reason).toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
});
