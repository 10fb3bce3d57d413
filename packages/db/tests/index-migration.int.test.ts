import { afterEach, beforeEach, expect, test } from '@jest/globals';
import type { Database } from '@sluice/db';
import { eventually, type TestDatabase, testDatabase } from '@sluice/test-support';
import { sql } from 'kysely';
import { migrations } from '../src/migrations/index.ts';
import { migrate } from '../src/migrator.ts';

let database: TestDatabase;
let db: Database;
beforeEach(async () => {
  database = await testDatabase();
  ({ db } = database);
});
afterEach(() => database.drop());

const index = '29990101T0000-index-tags';
const after = '29990101T0001-after-tags';
const all = {
  ...migrations,
  [index]: { indexes: { tags_tried: 'ON tags (name, id)' } },
  [after]: { up: async () => undefined, down: async () => undefined },
};

const insert = (id: string, { kysely }: Pick<Database, 'kysely'> = db) =>
  kysely.insertInto('tags').values({ id, name: id }).execute();

/** Whether the index is valid; `undefined` if it does not exist. */
async function isValid(): Promise<boolean | undefined> {
  const { rows } = await sql<{ valid: boolean }>`
    SELECT indisvalid AS valid FROM pg_index WHERE indexrelid = to_regclass('tags_tried')`.execute(db.kysely);
  return rows[0]?.valid;
}

/** Backends that build the index. */
async function builders(): Promise<number[]> {
  const { rows } = await sql<{ pid: number }>`
    SELECT pid FROM pg_stat_progress_create_index WHERE datname = current_database()`.execute(db.kysely);
  return rows.map(({ pid }) => pid);
}

/** Runs `work` while a transaction that has written to the table is open. */
async function whileWriting<T>(work: () => Promise<T>): Promise<T> {
  return db.kysely.transaction().execute(async (tx) => {
    await insert('open', { kysely: tx });
    return work();
  });
}

test('an index is built during concurrent writes, and rebuilt after its process was killed', async () => {
  await whileWriting(async () => {
    const migrating = migrate(db, all);
    migrating.catch(() => undefined);
    const [pid] = await eventually(async () => (await builders()).length === 1 && builders());
    await insert('written meanwhile');
    await sql`SELECT pg_terminate_backend(${pid})`.execute(db.kysely);
    await expect(migrating).rejects.toThrow();
  });
  expect(await isValid()).toBe(false);
  const { rows } = await sql`SELECT 1 FROM kysely_migration WHERE name >= ${index}`.execute(db.kysely);
  expect(rows).toEqual([]);

  expect(await migrate(db, all)).toEqual([index, after]);
  expect(await isValid()).toBe(true);
  expect(await migrate(db, all)).toEqual([]);
});

test('a migration waits for an index that Postgres is still building for a dead process', async () => {
  let orphan: Promise<unknown> = Promise.resolve();
  const migrating = await whileWriting(async () => {
    orphan = sql`CREATE INDEX CONCURRENTLY tags_tried ON tags (name, id)`.execute(db.kysely);
    await eventually(async () => (await builders()).length === 1);
    const later = migrate(db, all);
    await insert('written meanwhile');
    return { later };
  });
  expect(await migrating.later).toEqual([index, after]);
  await orphan;
  expect(await isValid()).toBe(true);
});

test('processes that migrate concurrently build the index once', async () => {
  const { ran } = await whileWriting(async () => {
    const several = Promise.all([migrate(db, all), migrate(database.db, all)]);
    await eventually(async () => (await builders()).length === 1);
    return { ran: several };
  });
  expect((await ran).sort((a, b) => a.length - b.length)).toEqual([[], [index, after]]);
  expect(await isValid()).toBe(true);
});

test('a process that waited for another process reverts nothing', async () => {
  const reverted: string[] = [];
  const slow = {
    ...all,
    [after]: {
      up: async (tx: Database['kysely']) => void (await sql`SELECT pg_sleep(1.5)`.execute(tx)),
      down: async () => void reverted.push(after),
    },
  };
  const several = await Promise.all([migrate(db, slow), migrate(db, slow)]);
  expect(reverted).toEqual([]);
  expect(several.sort((a, b) => a.length - b.length)).toEqual([[], [index, after]]);
});

test('a new database is migrated in one transaction', async () => {
  await sql`DROP SCHEMA public CASCADE; CREATE SCHEMA public`.execute(db.kysely);
  const failing = { ...all, '29990102T0000-fail': { up: () => Promise.reject(new Error('on purpose')) } };
  await expect(migrate(db, failing)).rejects.toThrow('on purpose');
  expect(await isValid()).toBeUndefined();
  expect((await migrate(db, all)).length).toBe(Object.keys(all).length);
  expect(await isValid()).toBe(true);
});

test('a database of a pre-release version is refused', async () => {
  await sql`INSERT INTO kysely_migration (name, timestamp) VALUES ('20261120T1000-create-tables', '')`.execute(db.kysely);
  await expect(migrate(db, all)).rejects.toThrow('a pre-release version created this database');
  expect(await isValid()).toBeUndefined();
});
