import { afterAll, expect, test } from '@jest/globals';
import { createDatabase, type Database } from '@sluice/db';
import { testDatabase } from '@sluice/test-support';
import { sql } from 'kysely';
import { migrations } from '../src/migrations/index.ts';
import { migrator as migratorOf } from '../src/migrator.ts';

/*
 * Compares the schema that all migrations produce with the file next to this one, in which
 * reviewers see what a migration changes. `npm run db:schema` rewrites it.
 */

const database = await testDatabase();
const db = createDatabase({ url: database.url });

afterAll(async () => {
  await db.close();
  await database.drop();
});

test('the schema equals the reviewed schema', async () => {
  expect(await describeSchema(db)).toMatchSnapshot();
});

test('every migration can be reverted and applied again', async () => {
  const migrator = migratorOf(db.kysely);
  const before = await describeSchema(db);
  for (const _ of Object.keys(migrations)) expect((await migrator.migrateDown()).error).toBeUndefined();
  expect(await describeSchema(db)).toBe('');
  expect((await migrator.migrateToLatest()).error).toBeUndefined();
  expect(await describeSchema(db)).toBe(before);
});

/**
 * Tables with their columns, constraints, indexes, and triggers, and the functions, sorted by name.
 */
async function describeSchema({ kysely }: Database): Promise<string> {
  const { rows } = await sql<{ line: string }>`
    SELECT line FROM (
      SELECT c.relname AS name, 1 AS kind, a.attnum AS place, format('table %s: %s %s%s%s', c.relname, a.attname,
          format_type(a.atttypid, a.atttypmod), CASE WHEN a.attnotnull THEN ' NOT NULL' ELSE '' END,
          coalesce(' DEFAULT ' || pg_get_expr(d.adbin, d.adrelid), '')) AS line
        FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
        LEFT JOIN pg_attrdef d ON d.adrelid = c.oid AND d.adnum = a.attnum
        WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p')
      UNION ALL
      SELECT c.relname, 2, 0, format('table %s: %s %s', c.relname, o.conname, pg_get_constraintdef(o.oid))
        FROM pg_constraint o JOIN pg_class c ON c.oid = o.conrelid
        WHERE c.relnamespace = 'public'::regnamespace AND o.contype <> 'n'
      UNION ALL
      SELECT tablename, 3, 0, format('table %s: %s', tablename, indexdef) FROM pg_indexes WHERE schemaname = 'public'
      UNION ALL
      SELECT c.relname, 4, 0, format('table %s: %s', c.relname, pg_get_triggerdef(t.oid))
        FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid
        WHERE c.relnamespace = 'public'::regnamespace AND NOT t.tgisinternal
      UNION ALL
      SELECT p.proname, 5, 0, pg_get_functiondef(p.oid) FROM pg_proc p WHERE p.pronamespace = 'public'::regnamespace
    ) AS described
    WHERE name NOT LIKE 'kysely_%' ORDER BY kind = 5, name COLLATE "C", kind, place, line COLLATE "C"`.execute(kysely);
  return rows.map(({ line }) => line).join('\n');
}
