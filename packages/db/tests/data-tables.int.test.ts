import { afterAll, beforeEach, describe, expect, test } from '@jest/globals';
import {
  Access,
  type DataRow,
  DataTableConnections,
  DataTableRepository,
  DataTableRowRepository,
  ExpiredRowRepository,
  type RowBatch,
  type RowPosition,
  rowBatches,
} from '@sluice/db';
import { type DataCondition, type DataFilter, type JsonObject, type JsonValue, randomId } from '@sluice/domain';
import { testDatabase } from '@sluice/test-support';
import type { RowPage } from '../src/data-tables/data-table-row-repository.ts';

const all = new Access('all');
const every: DataFilter = { type: 'and', filters: [] };
const small = { tablesPerProject: 2, columns: 2, rows: 3, bytes: 10_000 };

let projectId: string;
let id: string;

const database = await testDatabase();
const tables = new DataTableRepository(database.db.kysely);
const rows = new DataTableRowRepository(database.db.kysely);
beforeEach(async () => {
  projectId = randomId();
  await database.db.kysely.insertInto('projects').values({ id: projectId, name: 'a project', type: 'team' }).execute();
  ({ id } = await tables.create(projectId, 'people', [
    { name: 'name', type: 'string' },
    { name: 'age', type: 'number' },
    { name: 'member', type: 'boolean' },
    { name: 'born', type: 'date' },
  ]));
});
afterAll(() => database.drop());

const where = (columnName: string, condition: DataCondition, value?: JsonValue): DataFilter => ({
  type: 'and',
  filters: [{ columnName, condition, value }],
});
async function batchesOf(step: (after: number) => Promise<RowBatch>) {
  const batches: RowBatch[] = [];
  for await (const batch of rowBatches(step)) batches.push(batch);
  return batches;
}
const allRows = async (step: (after: number) => Promise<RowBatch>) =>
  (await batchesOf(step)).flatMap(({ rows: batch }) => batch);
const update = (filter: DataFilter, values: JsonObject) =>
  allRows((after) => rows.updateBatch({ tableId: id, access: all, filter, values, after }));
const remove = (filter: DataFilter) => allRows((after) => rows.deleteBatch({ tableId: id, access: all, filter, after }));
const list = async (filter: DataFilter, page: RowPage) => (await rows.page(id, all, filter, page)).rows;
async function pagesOf(filter: DataFilter, page: RowPage) {
  const pages: DataRow[][] = [];
  for (let after: RowPosition | null | undefined; after !== null; ) {
    const batch: { rows: DataRow[]; next: RowPosition | null } = await rows.page(id, all, filter, { ...page, after });
    pages.push(batch.rows);
    after = batch.next;
  }
  return pages;
}
const listAll = async (filter: DataFilter) => (await pagesOf(filter, { limit: 100 })).flat();
const names = async (filter: DataFilter) => (await list(filter, { limit: 100 })).map(({ name }) => name);

describe('tables', () => {
  test('have unique names in a project, and columns with unique names that are not reserved', async () => {
    const text = { name: 'a', type: 'string' } as const;
    await expect(tables.create(projectId, 'people', [])).rejects.toMatchObject({ code: 'CONFLICT' });
    await expect(tables.create(projectId, 'b', [text, text])).rejects.toMatchObject({ code: 'CONFLICT' });
    for (const name of ['id', 'createdAt', 'a b', '1a', 'a";--', ''])
      await expect(tables.create(projectId, 'b', [{ name, type: 'string' }])).rejects.toMatchObject({
        code: 'VALIDATION_ERROR',
        details: [{ path: '/columns/0/name', message: expect.any(String) }],
      });
  });

  test('are found by name and listed for projects within the access', async () => {
    expect(await tables.getByName(projectId, 'people')).toMatchObject({ id, rowCount: 0 });
    const page = { limit: 10 };
    expect(await tables.list(new Access([projectId]), { name: 'PEO' }, page)).toMatchObject([{ id }]);
    expect(await tables.list(new Access([projectId]), { name: '%' }, page)).toEqual([]);
    expect(await tables.list(new Access(['other']), {}, page)).toEqual([]);
    await expect(tables.get(id, new Access(['other']))).rejects.toMatchObject({ code: 'FORBIDDEN' });
    await expect(rows.page(id, new Access(['other']), every, page)).rejects.toMatchObject({ code: 'FORBIDDEN' });
    await expect(rows.insert(id, new Access(['other']), [{}])).rejects.toMatchObject({ code: 'FORBIDDEN' });
  });

  test('keep the values of a renamed column and never show values of a deleted column again', async () => {
    await rows.insert(id, all, [{ name: 'Ada' }]);
    const column = (await tables.get(id, all)).columns[0]?.id ?? '';
    await tables.renameColumn(id, all, column, 'title');
    expect(await list(where('title', 'eq', 'Ada'), { limit: 1 })).toMatchObject([{ title: 'Ada' }]);
    await tables.deleteColumn(id, all, column);
    await tables.addColumn(id, all, { name: 'title', type: 'string' });
    expect(await list(every, { limit: 1 })).toMatchObject([{ title: null }]);
  });

  test('are limited in number, columns, rows, and bytes', async () => {
    const limitedTables = new DataTableRepository(database.db.kysely, small);
    const limitedRows = new DataTableRowRepository(database.db.kysely, small);
    const text = (name: string) => ({ name, type: 'string' }) as const;
    await expect(limitedTables.create(projectId, 'c', ['a', 'b', 'c'].map(text))).rejects.toMatchObject({ code: 'CONFLICT' });
    const table = await limitedTables.create(projectId, 'b', [text('a'), text('b')]);
    await expect(limitedTables.create(projectId, 'c', [])).rejects.toMatchObject({ code: 'CONFLICT' });
    await expect(limitedTables.addColumn(table.id, all, text('c'))).rejects.toMatchObject({ code: 'CONFLICT' });
    await expect(limitedRows.insert(table.id, all, [{}, {}, {}, {}])).rejects.toMatchObject({ code: 'CONFLICT' });
    const tooLong = limitedRows.insert(table.id, all, [{ a: 'x'.repeat(10_000) }]);
    await expect(tooLong).rejects.toMatchObject({ code: 'STORAGE_QUOTA_EXCEEDED' });
    expect(await tables.get(table.id, all)).toMatchObject({ rowCount: 0, bytes: 0 });
  });

  test('are deleted with their project, and their rows in batches', async () => {
    await rows.insert(
      id,
      all,
      Array.from({ length: 5 }, () => ({ age: 1 })),
    );
    await database.db.kysely.deleteFrom('projects').where('id', '=', projectId).execute();
    await expect(tables.get(id, all)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    const expired = new ExpiredRowRepository(database.db.kysely, { batch: 2 });
    while (await expired.deleteDataTableRows());
    const remaining = await database.db.kysely.selectFrom('data_table_rows').select('id').where('table_id', '=', id).execute();
    expect(remaining).toEqual([]);
    expect(await database.db.kysely.selectFrom('data_table_leftovers').selectAll().execute()).toEqual([]);
  });
});

describe('rows', () => {
  test('return their values as stored, with an ID and timestamps', async () => {
    const [row] = await rows.insert(id, all, [{ name: 'Ada', age: 36.5, member: false, born: '1815-12-10' }]);
    expect(row).toEqual({
      id: 1,
      createdAt: expect.stringMatching(/Z$/),
      updatedAt: expect.stringMatching(/Z$/),
      name: 'Ada',
      age: 36.5,
      member: false,
      born: '1815-12-10T00:00:00.000Z',
    });
    expect(await list(every, { limit: 10 })).toEqual([row]);
    expect(await list(every, { limit: 10, after: { key: null, id: 1 } })).toEqual([]);
  });

  test.each<JsonObject>([
    { age: '36' },
    { name: 1 },
    { name: 'a\u0000' },
    { name: '\ud800' },
    { member: 'true' },
    { born: 'tomorrow' },
    { born: '2024-13-01' },
    { name: {} },
    { height: 1 },
    { id: 1 },
    { __proto__x: 1 },
  ])('reject %j', async (row) => {
    await expect(rows.insert(id, all, [row])).rejects.toMatchObject({ code: 'VALIDATION_ERROR' });
  });

  test.each<[DataFilter, string[]]>([
    [where('name', 'eq', 'Ada'), ['Ada']],
    [where('name', 'neq', 'Ada'), ['Bob', '100%']],
    [where('name', 'like', 'A%'), ['Ada']],
    [where('name', 'like', 'a%'), []],
    [where('name', 'ilike', 'a_A'), ['Ada']],
    [where('name', 'gte', 'Ada'), ['Ada', 'Bob']],
    [where('age', 'gt', 9), ['Ada']],
    [where('age', 'lte', 9), ['Bob']],
    [where('age', 'isEmpty'), ['100%']],
    [where('age', 'eq', null), ['100%']],
    [where('age', 'isNotEmpty'), ['Ada', 'Bob']],
    [where('member', 'isTrue'), ['Ada']],
    [where('member', 'isFalse'), ['Bob']],
    [where('born', 'lt', '2000-01-01T00:00:00+02:00'), ['Ada']],
    [where('id', 'gt', 1), ['Bob', '100%']],
    [where('createdAt', 'lt', '2000-01-01'), []],
    [where('name', 'eq', "' OR true --"), []],
    [
      { type: 'or', filters: [where('age', 'eq', 9), where('name', 'eq', 'Ada')].flatMap(({ filters }) => filters) },
      ['Ada', 'Bob'],
    ],
    [{ type: 'and', filters: [where('age', 'eq', 9), where('name', 'eq', 'Ada')].flatMap(({ filters }) => filters) }, []],
    [every, ['Ada', 'Bob', '100%']],
  ])('are selected by the filter %j', async (filter, expected) => {
    await rows.insert(id, all, [
      { name: 'Ada', age: 36, member: true, born: '1815-12-10' },
      { name: 'Bob', age: 9, member: false, born: '2010-01-01' },
      { name: '100%' },
    ]);
    expect(await names(filter)).toEqual(expected);
  });

  test.each([
    where('none', 'eq', 1),
    where('age', 'gt', 'a'),
    where('age', 'like', 'a'),
    where('member', 'gt', true),
    where('name', 'isTrue'),
    where('name', 'like', '%'.repeat(1_001)),
    {
      ...every,
      filters: Array.from({ length: 11 }, () => ({ columnName: 'name', condition: 'like' as const, value: '_'.repeat(1_000) })),
    },
    { ...every, filters: Array.from({ length: 101 }, () => ({ columnName: 'age', condition: 'isEmpty' as const })) },
  ])('reject an invalid filter', async (filter) => {
    await expect(names(filter)).rejects.toMatchObject({ code: 'VALIDATION_ERROR' });
  });

  test('can be searched by the first 100,000 characters of a string', async () => {
    const name = `${'é'.repeat(99_999)}bc`;
    await rows.insert(id, all, [{ name }]);
    expect(await names(where('name', 'like', '%b'))).toEqual([name]);
    expect(await names(where('name', 'ilike', '%c%'))).toEqual([]);
  });

  test('keep other columns when they are updated; null clears a column, and a preview changes nothing', async () => {
    await rows.insert(id, all, [{ name: 'Ada', age: 1, member: true }, { name: 'Bob' }]);
    const change = { filter: where('name', 'eq', 'Ada'), values: { age: 2, member: null }, upsert: false };
    const preview = await rows.previewBatch({ tableId: id, access: all, ...change });
    expect(preview).toMatchObject({
      changes: [{ before: { age: 1, member: true }, after: { age: 2, member: null } }],
      next: null,
    });
    expect(await list(change.filter, { limit: 1 })).toMatchObject([{ age: 1, member: true }]);
    const updated = await update(change.filter, change.values);
    expect(updated).toMatchObject([{ id: 1, name: 'Ada', age: 2, member: null }]);
    expect(await names(where('age', 'isEmpty'))).toEqual(['Bob']);
  });

  test('in several batches are all updated and deleted, and counts stay exact', async () => {
    const inserted = await rows.insert(
      id,
      all,
      Array.from({ length: 2_500 }, (_, age) => ({ age })),
    );
    expect(inserted.map(({ age }) => age)).toEqual(inserted.map((_, age) => age));
    expect(await update(every, { name: 'longer than before' })).toHaveLength(2_500);
    const sizes = await database.db.kysely.selectFrom('data_table_rows').select('size').where('table_id', '=', id).execute();
    expect(await tables.get(id, all)).toMatchObject({ rowCount: 2_500, bytes: sizes.reduce((sum, { size }) => sum + size, 0) });
    expect(await remove(where('age', 'gte', 500))).toHaveLength(2_000);
    expect(await remove(every)).toHaveLength(500);
    expect(await tables.get(id, all)).toMatchObject({ rowCount: 0, bytes: 0 });
  });

  test('that two clients upsert concurrently are inserted once', async () => {
    const upsert = (age: number) =>
      rows.upsertBatch({ tableId: id, access: all, filter: where('name', 'eq', 'Ada'), values: { name: 'Ada', age } });
    await Promise.all(Array.from({ length: 20 }, (_, age) => upsert(age)));
    expect(await names(every)).toEqual(['Ada']);
    const missing = { filter: where('name', 'eq', 'Eve'), values: { name: 'Eve' }, upsert: true };
    const preview = await rows.previewBatch({ tableId: id, access: all, ...missing });
    expect(preview).toMatchObject({ changes: [{ after: { id: null, name: 'Eve' } }], next: null });
  });

  test.each<[string, 'asc' | 'desc', string[]]>([
    ['id', 'desc', ['c', 'b', 'a', 'd', 'e']],
    ['name', 'asc', ['a', 'b', 'c', 'd', 'e']],
    ['name', 'desc', ['e', 'd', 'c', 'b', 'a']],
    ['age', 'asc', ['d', 'a', 'b', 'e', 'c']],
    ['age', 'desc', ['b', 'd', 'a', 'e', 'c']],
    ['member', 'asc', ['e', 'a', 'd', 'b', 'c']],
    ['born', 'desc', ['b', 'a', 'e', 'd', 'c']],
    ['createdAt', 'asc', ['e', 'd', 'a', 'b', 'c']],
  ])('are paged by %s %s, each row once, empty values last', async (columnName, direction, expected) => {
    const inserted: JsonObject[] = [
      { name: 'e', member: false },
      { name: 'd', age: -1.5, member: true },
      { name: 'a', age: -1.5, member: false, born: '2001-01-01' },
      { name: 'b', age: 1e21, member: true, born: '2002-01-01' },
      { name: 'c' },
    ];
    for (const row of inserted) await rows.insert(id, all, [row]);
    const sort = { columnName, direction } as const;
    const whole = (await rows.page(id, all, every, { sort, limit: 10 })).rows.map(({ name }) => name);
    const paged: unknown[] = [];
    for (let after: RowPosition | undefined; ; ) {
      const { rows: pageRows, next } = await rows.page(id, all, every, { sort, after, limit: 1 });
      paged.push(...pageRows.map(({ name }) => name));
      if (!next) break;
      after = next;
    }
    expect([whole, paged]).toEqual([expected, expected]);
  });

  test.each([undefined, { columnName: 'age', direction: 'desc' }, { columnName: 'name', direction: 'asc' }] as const)(
    'of a page have a maximum total size, and each long row is on exactly one page: sorted by %j',
    async (sort) => {
      const short = Array.from({ length: 900 }, (_, age) => ({ name: 'a', age: age + 10 }));
      await rows.insert(id, all, short);
      for (let age = 0; age < 5; age += 1) await rows.insert(id, all, [{ name: 'x'.repeat(1_500_000), age }]);
      await rows.insert(id, all, [{ name: 'y'.repeat(5_000_000), age: 1_000 }]);
      const pages = await pagesOf(where('id', 'gt', 5), { sort, limit: 500 });
      for (const page of pages) expect(page.length === 1 || JSON.stringify(page).length < 4_200_000).toBe(true);
      const ids = pages.flat().map((row) => row['id']);
      expect([ids.length, new Set(ids).size]).toEqual([901, 901]);
      expect(Math.max(...pages.map((page) => page.length))).toBe(500);
    },
  );

  test('cannot be paged by a column that has been replaced with another type since the last page', async () => {
    await rows.insert(id, all, [{ name: 'x', age: 1 }]);
    const after = { key: 'x', id: 1 };
    await expect(
      rows.page(id, all, every, { sort: { columnName: 'age', direction: 'asc' }, after, limit: 1 }),
    ).rejects.toMatchObject({ code: 'VALIDATION_ERROR', details: [{ path: '/cursor', message: expect.any(String) }] });
  });
});

describe('batches', () => {
  const long = 'x'.repeat(1_500_000);
  const table = () => ({ tableId: id, access: all });
  const sizes = (batches: { rows: unknown[] }[]) => batches.map(({ rows: batch }) => batch.length);
  const total = (batches: { rows: unknown[] }[]) => sizes(batches).reduce((sum, size) => sum + size, 0);
  /** The ages 1, 2, 1, 2, … */
  const insertLong = async (count: number) => {
    for (let age = 0; age < count; age += 1) await rows.insert(id, all, [{ name: long, age: (age % 2) + 1 }]);
  };

  test('of long rows have a maximum size and contain each matching row once', async () => {
    await insertLong(10);
    const change = { ...table(), filter: where('age', 'eq', 1), values: { member: true } };
    const previewed: number[] = [];
    for await (const { changes } of rowBatches((after) => rows.previewBatch({ ...change, upsert: true, after })))
      previewed.push(changes.length);
    expect(previewed).toEqual([2, 2, 1]);
    expect(sizes(await batchesOf((after) => rows.updateBatch({ ...change, after })))).toEqual([2, 2, 1]);
    expect(await listAll(where('member', 'isTrue'))).toHaveLength(5);
    const upserted = await batchesOf((after) => rows.upsertBatch({ ...change, filter: every, after }));
    expect(upserted.map(({ inserted }) => inserted)).toEqual([false, false, false, false, false]);
    expect(sizes(await batchesOf((after) => rows.deleteBatch({ ...change, after })))).toEqual([2, 2, 1]);
    expect((await listAll(every)).map(({ age }) => age)).toEqual([2, 2, 2, 2, 2]);
    expect(sizes(await batchesOf((after) => rows.deleteBatch({ ...table(), filter: every, after })))).toEqual([2, 2, 1]);
    expect(await tables.get(id, all)).toMatchObject({ rowCount: 0, bytes: 0 });
  });

  test('have at least one row, however long it is', async () => {
    const longest = 'x'.repeat(5_000_000);
    for (const age of [1, 2]) await rows.insert(id, all, [{ name: longest, age }]);
    expect(sizes(await batchesOf((after) => rows.deleteBatch({ ...table(), filter: every, after })))).toEqual([1, 1]);
  });

  test('contain only rows of a limited size', async () => {
    const half = 'x'.repeat(17_000_000);
    await rows.insert(id, all, [{ name: half }]);
    await tables.addColumn(id, all, { name: 'other', type: 'string' });
    await expect(update(every, { other: half })).rejects.toMatchObject({ code: 'CONFLICT', details: [{ path: '/data' }] });
    await expect(rows.insert(id, all, [{ name: half, other: half }])).rejects.toMatchObject({ code: 'CONFLICT' });
    expect(await tables.get(id, all)).toMatchObject({ rowCount: 1 });
    expect(await update(every, { age: 1, name: 'short' })).toMatchObject([{ name: 'short', other: null }]);
  });

  test('of short rows that become long have a maximum size', async () => {
    const ages = Array.from({ length: 7 }, (_, age) => ({ age }));
    await rows.insert(id, all, ages);
    const change = { ...table(), filter: every, values: { name: long } };
    const updated = await batchesOf((after) => rows.updateBatch({ ...change, after }));
    expect(sizes(updated)).toEqual([2, 2, 2, 1]);
    expect(updated.flatMap((batch) => batch.rows.map(({ age }) => age))).toEqual([0, 1, 2, 3, 4, 5, 6]);
  });

  test('of short rows in a table with long rows are as large as in a table with only short rows', async () => {
    const longest = 'x'.repeat(5_000_000);
    for (const age of [1, 2, 3, 4]) await rows.insert(id, all, [{ name: longest, age }]);
    const short = Array.from({ length: 100 }, () => ({ age: 0 }));
    await rows.insert(id, all, short);
    const change = { ...table(), filter: where('age', 'eq', 0), values: { age: 5 } };
    expect(sizes(await batchesOf((after) => rows.updateBatch({ ...change, after })))).toEqual([100]);
    const deletion = { ...table(), filter: where('age', 'gte', 2) };
    expect(sizes(await batchesOf((after) => rows.deleteBatch({ ...deletion, after })))).toEqual([1, 1, 1, 100]);
  });

  test('of long rows in a table with many short rows have a maximum size', async () => {
    const short = Array.from({ length: 3_000 }, () => ({ age: 0 }));
    await insertLong(2);
    await rows.insert(id, all, short);
    await insertLong(4);
    const deleted = await batchesOf((after) => rows.deleteBatch({ ...table(), filter: where('age', 'gt', 0), after }));
    expect(sizes(deleted)).toEqual([2, 2, 2]);
    const last = await batchesOf((after) => rows.deleteBatch({ ...table(), filter: every, after }));
    expect([total(last), ...sizes(last)]).toEqual([3_000, 1_000, 1_000, 1_000]);
    expect(last.at(-1)?.next).toBeNull();
  });
});

describe('locks', () => {
  test('do not delay a caller without access', async () => {
    const stranger = new Access(['other']);
    const change = { tableId: id, access: stranger, filter: where('id', 'eq', 1), values: {} };
    await database.db.kysely.transaction().execute(async (tx) => {
      await tx.selectFrom('data_tables').select('id').where('id', '=', id).forUpdate().execute();
      for (const refused of [
        rows.insert(id, stranger, [{}]),
        rows.updateBatch(change),
        rows.upsertBatch(change),
        rows.deleteBatch(change),
        tables.rename(id, stranger, 'other'),
        tables.addColumn(id, stranger, { name: 'other', type: 'string' }),
        tables.delete(id, stranger),
      ])
        await expect(refused).rejects.toMatchObject({ code: 'FORBIDDEN' });
    });
  });

  test('of a large change are released after each batch', async () => {
    await rows.insert(
      id,
      all,
      Array.from({ length: 2_500 }, (_, age) => ({ age })),
    );
    const steps: number[] = [];
    const change = { tableId: id, access: all, filter: where('name', 'isEmpty'), values: { name: 'x' } };
    for await (const batch of rowBatches((after) => rows.updateBatch({ ...change, after }))) {
      steps.push(batch.rows.length);
      await rows.insert(id, all, [{ name: 'between' }]);
    }
    expect(steps).toEqual([1_000, 1_000, 500]);
    expect(await tables.get(id, all)).toMatchObject({ rowCount: 2_503 });
  });
});

describe('operations of a project that keep their connections busy', () => {
  test('leave connections for other projects and all other work', async () => {
    const connections = new DataTableConnections();
    const tables = new DataTableRepository(database.db.kysely, undefined, connections);
    const rows = new DataTableRowRepository(database.db.kysely, undefined, connections);
    const other = randomId();
    await database.db.kysely.insertInto('projects').values({ id: other, name: 'another project', type: 'team' }).execute();
    const { id: otherTable } = await tables.create(other, 'animals', [{ name: 'name', type: 'string' }]);
    const column = (await tables.get(id, all)).columns[0]?.id ?? '';
    const locked = Promise.withResolvers<void>();
    const others = Promise.withResolvers<void>();
    const busy = database.db.kysely.transaction().execute(async (tx) => {
      await tx.selectFrom('data_tables').select('id').where('id', '=', id).forUpdate().execute();
      locked.resolve();
      await others.promise;
    });
    await locked.promise;
    const waiting = Array.from({ length: 8 }, (_, i) => [
      rows.insert(id, all, [{ age: i }]),
      tables.renameColumn(id, all, column, `name${i}`),
    ]).flat();
    await rows.insert(otherTable, all, [{ name: 'cat' }]);
    expect((await rows.page(otherTable, all, every, { limit: 10 })).rows).toMatchObject([{ name: 'cat' }]);
    await Promise.all([1, 2].map(() => database.db.assertWritable()));
    others.resolve();
    await busy;
    await Promise.all(waiting);
    expect(await tables.get(id, all)).toMatchObject({ rowCount: 8 });
  });
});

test('a step that is repeated after a lost reply returns the rows of the first commit', async () => {
  await rows.insert(id, all, [{ name: 'Ada', age: 1 }]);
  const table = { tableId: id, access: all };
  const change = { ...table, filter: where('age', 'eq', 1), values: { age: 2 } };
  const [updated, upserted] = [
    { ...change, write: {} },
    { ...change, write: {} },
  ];
  const deletion = { ...table, filter: every, write: {} };
  for (const _ of ['first', 'again']) {
    expect((await rows.updateBatch(updated)).rows).toMatchObject([{ name: 'Ada', age: 2 }]);
    expect((await rows.upsertBatch(upserted)).inserted).toBe(true);
  }
  expect(await names(every)).toEqual(['Ada', null]);
  for (const _ of ['first', 'again']) expect((await rows.deleteBatch(deletion)).rows).toHaveLength(2);
});
