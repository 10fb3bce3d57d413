import { describe, expect, test } from '@jest/globals';
import { Kysely, PostgresDialect, type PostgresPool } from 'kysely';
import { binaryArray } from './binary-array.ts';
import { rows, selectByKey, statement, value } from './statement.ts';

interface Item {
  id: string;
  size?: number;
}

const mark = statement({
  name: 'mark-items',
  byKey: true,
  parameters: {
    owner: value<string>(),
    items: rows<Item>('i', { id: ['bigint', ({ id }) => id], size: ['int', ({ size }) => size ?? null] }, 'ord'),
    tags: value<readonly string[]>('text[]'),
  },
  text: ({ owner, items, tags }) =>
    `UPDATE t SET tags = ${tags}, by = ${owner} FROM ${items} WHERE t.by = ${owner} AND t.id = i.id`,
});

test('a parameter has the same number everywhere in the text', () => {
  expect(mark({ owner: 'a', items: [], tags: [] }).text).toBe(
    'UPDATE t SET tags = $4::text[], by = $1 FROM unnest($2::bigint[], $3::int[]) WITH ORDINALITY AS i (id, size, ord) WHERE t.by = $1 AND t.id = i.id',
  );
});

test('the values are in the order of their numbers, with one array per column', () => {
  expect(mark({ tags: ['x'], items: [{ id: '1', size: 5 }, { id: '2' }], owner: 'a' })).toMatchObject({
    name: 'mark-items',
    byKey: true,
    values: ['a', binaryArray('bigint', ['1', '2']), binaryArray('int', [5, null]), ['x']],
  });
});

describe('a Kysely query by key', () => {
  const db = new Kysely<{ t: { id: string; name: string } }>({ dialect: new PostgresDialect({ pool: {} as PostgresPool }) });
  const names = db.selectFrom('t').select('name');

  test('is one text for all keys', () => {
    const byId = selectByKey('names-by-id', names.where('id', '=', ''));
    const text = 'select "name" from "t" where "id" = $1';
    expect([byId('1'), byId('2')]).toEqual(
      ['1', '2'].map((key) => ({ name: 'names-by-id', text, values: [key], byKey: true })),
    );
  });

  test('has no other parameters', () => {
    const other = names.where('id', '=', '').where('name', '=', 'a');
    expect(() => selectByKey('names', other)).toThrow('statement names has 2 parameters instead of one');
  });
});
