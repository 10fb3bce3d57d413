import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type TestDatabase, testDatabase } from '@sluice/test-support';
import type { Kysely } from 'kysely';
import { up } from '../src/migrations/20261130T1041-trim-tag-names.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.drop());

test('stored tag names are trimmed unless another tag has the trimmed name', async () => {
  const { kysely } = database.db;
  const names = [' a', '\u3000b c\ufeff', 'd ', 'd', '\te', 'e\n', '\u200bf'];
  const created = (index: number) => new Date(Date.UTC(2026, 0, 1 + index));
  const tags = names.map((name, index) => ({ id: `t${index}`, name, created_at: created(index) }));
  await kysely.insertInto('tags').values(tags).execute();
  await up(kysely as unknown as Kysely<unknown>);
  const rows = await kysely.selectFrom('tags').select('name').orderBy('id').execute();
  expect(rows.map(({ name }) => name)).toEqual(['a', 'b c', 'd ', 'd', 'e', 'e\n', '\u200bf']);
});
