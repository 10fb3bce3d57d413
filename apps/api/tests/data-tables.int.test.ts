import { afterAll, beforeEach, describe, expect, test } from '@jest/globals';
import { AuditRepository } from '@sluice/db';
import { type JsonObject, randomId } from '@sluice/domain';
import { eventually } from '@sluice/test-support';
import { type ApiResponse, startTestApi } from './support/test-api.ts';

let projectId: string;
let id: string;

const api = await startTestApi({
  DATA_TABLES_MAX_PER_PROJECT: '2',
  DATA_TABLE_MAX_COLUMNS: '3',
  DATA_TABLE_MAX_ROWS: '1500',
  DATA_TABLES_MAX_BYTES_PER_PROJECT: String(2 ** 24),
});
afterAll(() => api.close());
beforeEach(async () => {
  projectId = (await api.projects.createTeam({ name: 'team' })).id;
  const columns = [
    { name: 'name', type: 'string' },
    { name: 'age', type: 'number' },
  ];
  ({ id } = (await create({ name: 'people', columns })).body);
});

const create = (body: object) => api.call('POST', '/data-tables', { body: { projectId, ...body } });
const insert = (data: object[]) => api.call('POST', `/data-tables/${id}/rows`, { body: { data } });
const where = (columnName: string, condition: string, value?: unknown) => ({
  type: 'and',
  filters: [{ columnName, condition, ...(value !== undefined && { value }) }],
});
const rows = (query: Record<string, string> = {}) => api.call('GET', `/data-tables/${id}/rows?${new URLSearchParams(query)}`);
const remove = (filter: object) =>
  api.call('DELETE', `/data-tables/${id}/rows?${new URLSearchParams({ filter: JSON.stringify(filter) })}`);
const names = ({ body }: ApiResponse) => body.data.map(({ name }: JsonObject) => name);

describe('a data table', () => {
  test('is created, read, listed, renamed, and deleted', async () => {
    const table = await api.call('GET', `/data-tables/${id}`);
    expect(table).toMatchObject({ status: 200, body: { id, projectId, name: 'people', rowCount: 0, bytes: 0 } });
    const list = (query: string) => api.call('GET', `/data-tables?projectId=${projectId}&${query}`);
    expect((await list('name=EOP')).body).toEqual({ data: [table.body], nextCursor: null });
    expect((await list('name=other')).body.data).toEqual([]);
    expect((await api.call('PATCH', `/data-tables/${id}`, { body: { name: 'clients' } })).body).toMatchObject({
      name: 'clients',
    });
    expect(await api.call('DELETE', `/data-tables/${id}`)).toMatchObject({ status: 200, body: { id, name: 'clients' } });
    for (const path of [id, randomId(), 'a b'])
      expect((await api.call('GET', `/data-tables/${path}`)).body.code).toBe('NOT_FOUND');
  });

  test('can add, rename, and drop columns, and rows keep their other values', async () => {
    await insert([{ name: 'Ada', age: 36 }]);
    const columns = `/data-tables/${id}/columns`;
    const added = await api.call('POST', columns, { body: { name: 'born', type: 'date' } });
    expect(added).toMatchObject({ status: 201, body: { id: expect.any(String), name: 'born', type: 'date' } });
    const renamed = await api.call('PATCH', `${columns}/${added.body.id}`, { body: { name: 'birthday' } });
    expect(renamed.body).toEqual({ ...added.body, name: 'birthday' });
    expect((await api.call('DELETE', `${columns}/${added.body.id}`)).body).toEqual(renamed.body);
    expect((await api.call('DELETE', `${columns}/${added.body.id}`)).body.code).toBe('NOT_FOUND');
    expect((await rows()).body.data).toEqual([
      { id: 1, createdAt: expect.any(String), updatedAt: expect.any(String), name: 'Ada', age: 36 },
    ]);
  });

  test('is rejected with the reason if a name is taken or a limit is reached', async () => {
    expect(await create({ name: 'people' })).toMatchObject({
      status: 409,
      body: { code: 'CONFLICT', details: [{ path: '/name' }] },
    });
    const tooMany = ['a', 'b', 'c', 'd'].map((name) => ({ name, type: 'string' }));
    const limited = (path: string) => ({
      status: 409,
      body: { code: 'CONFLICT', details: [{ path, message: expect.any(String) }] },
    });
    expect(await create({ name: 'b', columns: tooMany })).toMatchObject(limited('/columns'));
    await create({ name: 'b' });
    expect(await create({ name: 'c' })).toMatchObject(limited('/projectId'));
    const system = await create({ name: 'd', columns: [{ name: 'createdAt', type: 'date' }] });
    expect([system.status, system.body.details[0].path]).toEqual([400, '/columns/0/name']);
  });
});

describe('rows', () => {
  test('are paged in the order of a column, with cursors that are valid only for that order', async () => {
    await insert([{ name: 'b', age: 2 }, { name: 'c' }, { name: 'a', age: 2 }, { name: 'd', age: 10 }]);
    const allNames: string[] = [];
    for (let cursor: string | null | undefined; cursor !== null; ) {
      const page = await rows({ sortBy: 'age:desc', limit: '1', ...(cursor && { cursor }) });
      allNames.push(...names(page));
      cursor = page.body.nextCursor;
    }
    expect(allNames).toEqual(['d', 'b', 'a', 'c']);
    const cursor = (await rows({ sortBy: 'age:desc', limit: '1' })).body.nextCursor;
    expect((await rows({ sortBy: 'age:asc', cursor })).body.details[0].path).toBe('/cursor');
    expect(names(await rows({ filter: JSON.stringify(where('age', 'gte', 2)), sortBy: 'name:asc' }))).toEqual(['a', 'b', 'd']);
  });

  test('a sort key of the maximum string length fits into the cursor', async () => {
    const name = '\u0001'.repeat(5_000);
    await insert([{ name }, { name }]);
    const { nextCursor } = (await rows({ sortBy: 'name:asc', limit: '1' })).body;
    expect((await rows({ sortBy: 'name:asc', limit: '1', cursor: nextCursor })).body.data).toMatchObject([{ id: 2 }]);
  });

  test.each([
    [{ sortBy: 'none:asc' }, '/sortBy'],
    [{ sortBy: 'age' }, '/sortBy'],
    [{ filter: '{' }, '/filter'],
    [{ filter: '{"type":"and","type":"or","filters":[]}' }, '/filter'],
    [{ filter: JSON.stringify({ type: 'and', filters: [] }) }, '/filter/filters'],
    [{ filter: JSON.stringify(where('none', 'eq', 1)) }, '/filter/filters/0/columnName'],
    [{ filter: JSON.stringify(where('age', 'gt', 'x')) }, '/filter/filters/0/value'],
    [{ filter: JSON.stringify(where('age', 'eq')) }, '/filter/filters/0/value'],
    [{ filter: JSON.stringify(where('age', 'gt', 1)).replace(':1}', ':1e999}') }, '/filter/filters/0/value'],
    [{ filter: JSON.stringify(where('age', 'matches', 1)) }, '/filter/filters/0/condition'],
  ])('%j is rejected with its path', async (query, path) => {
    const { status, body } = await rows(query as unknown as Record<string, string>);
    expect([status, body.code, body.details[0].path]).toEqual([400, 'VALIDATION_ERROR', path]);
  });

  test('are inserted atomically', async () => {
    const refused = await insert([{ name: 'Ada' }, { name: 'Bob', age: 'old' }]);
    expect([refused.status, refused.body.details[0].path]).toEqual([400, '/data/1/age']);
    expect((await insert([{ none: 1 }])).body.details[0].path).toBe('/data/0');
    expect((await insert([])).status).toBe(400);
    expect((await insert(Array.from({ length: 1_001 }, () => ({})))).status).toBe(400);
    expect((await rows()).body.data).toEqual([]);
  });

  test('are updated, upserted, and deleted by a filter, and the audit log has their number', async () => {
    await insert([{ name: 'Ada' }, { name: 'Bob' }]);
    const path = `/data-tables/${id}/rows`;
    const changed = await api.call('PATCH', path, { body: { filter: where('name', 'eq', 'Ada'), data: { age: 36 } } });
    expect(changed.body).toMatchObject({ count: 1, data: [{ id: 1, name: 'Ada', age: 36 }] });
    const upsert = (name: string) =>
      api.call('POST', `${path}/upsert`, { body: { filter: where('name', 'eq', name), data: { name, age: 1 } } });
    expect((await upsert('Eve')).body).toMatchObject({ count: 1, inserted: true, data: [{ id: 3 }] });
    expect((await upsert('Eve')).body).toMatchObject({ count: 1, inserted: false, data: [{ id: 3 }] });
    const removed = await remove(where('age', 'isNotEmpty'));
    expect(removed.body).toEqual({ count: 2 });
    expect(names(await rows())).toEqual(['Bob']);
    await eventually(async () => {
      const lines = await new AuditRepository(api.db.kysely).list({ object: id }, { limit: 10 });
      expect(lines.map(({ action, projectId: of, details }) => [action, of, details?.['count']])).toEqual([
        ['dataTable.deleteRows', projectId, 2],
        ['dataTable.upsertRows', projectId, 1],
        ['dataTable.upsertRows', projectId, 1],
        ['dataTable.updateRows', projectId, 1],
        ['dataTable.insertRows', projectId, 2],
        ['dataTable.create', projectId, undefined],
      ]);
    });
  });

  test('in a page or in the response to a change have a maximum total size', async () => {
    await insert(Array.from({ length: 5 }, (_, age) => ({ age })));
    const body = { filter: where('age', 'gte', 0), data: { name: 'x'.repeat(1_500_000) } };
    const changed = await api.call('PATCH', `/data-tables/${id}/rows`, { body });
    expect([changed.body.count, changed.body.data.length]).toEqual([5, 2]);
    const pages: number[] = [];
    for (let cursor: string | null | undefined; cursor !== null; ) {
      const page = (await rows({ sortBy: 'name:desc', ...(cursor && { cursor }) })).body;
      pages.push(page.data.length);
      cursor = page.nextCursor;
    }
    expect(pages).toEqual([2, 2, 1]);
  });

  test('a change without conditions is rejected, since it would apply to all rows', async () => {
    const body = { filter: { type: 'and', filters: [] }, data: { age: 1 } };
    for (const suffix of ['', '/upsert']) {
      const method = suffix === '' ? 'PATCH' : 'POST';
      const { status, body: error } = await api.call(method, `/data-tables/${id}/rows${suffix}`, { body });
      expect([status, error.details[0].path]).toEqual([400, '/filter/filters']);
    }
    expect((await remove({ type: 'and', filters: [] })).status).toBe(400);
  });

  test('a condition without a value is rejected, since it would match rows without a value', async () => {
    await insert([{ name: 'Ada' }]);
    const refused = { status: 400, body: { details: [{ path: '/filter/filters/0/value', message: 'is required' }] } };
    for (const condition of ['eq', 'neq', 'gt', 'like']) expect(await remove(where('age', condition))).toMatchObject(refused);
    expect((await remove(where('age', 'isTrue'))).status).toBe(400);
    expect((await remove(where('age', 'eq', null))).body).toEqual({ count: 1 });
  });

  test('a pattern that ends within an escape is rejected, whatever the rows contain', async () => {
    for (const value of ['\\', 'a\\\\\\']) {
      const { status, body } = await remove(where('name', 'like', value));
      expect([status, body.details]).toEqual([
        400,
        [{ path: '/filter/filters/0/value', message: expect.stringContaining('end') }],
      ]);
    }
    expect((await remove(where('name', 'like', 'a\\\\'))).body).toEqual({ count: 0 });
  });

  test('a misspelled field of a filter is rejected, since ignoring it would select other rows', async () => {
    const condition = { columnName: 'age', condition: 'eq', values: 1 };
    const { status, body } = await remove({ type: 'and', filters: [condition] });
    const details = [{ path: '/filter/filters/0', message: 'has only the fields columnName, condition, value' }];
    expect([status, body.details]).toEqual([400, details]);
  });

  test('have the configured limits, and only growth above them is rejected', async () => {
    const batch = (length: number, row: object = {}) => insert(Array.from({ length }, () => row));
    await batch(1_000);
    expect(await batch(501)).toMatchObject({ status: 409, body: { code: 'CONFLICT', details: [{ path: '/data' }] } });
    expect((await batch(500)).status).toBe(201);
    const all = where('id', 'gte', 1);
    const long = { body: { filter: all, data: { name: 'x'.repeat(12_000) } } };
    const tooLarge = await api.call('PATCH', `/data-tables/${id}/rows`, long);
    expect([tooLarge.status, tooLarge.body.code]).toEqual([413, 'STORAGE_QUOTA_EXCEEDED']);
    expect((await remove(all)).body).toEqual({ count: 1_500 });
  });
});
