import { describe, expect, jest, test } from '@jest/globals';
import type { DataTableAccess, DataTableInfo, JsonObject } from '@sluice/node-sdk';
import { checkParameters, NodeOperationError } from '@sluice/node-sdk';
import { longestBusy } from '@sluice/test-support';
import { type FakeRun, runForJson } from '../../testing/fake-context.ts';
import { dataTable } from './data-table.ts';

const people: DataTableInfo = {
  id: 't1',
  name: 'people',
  columns: [
    { id: '1', name: 'name', type: 'string' },
    { id: '2', name: 'age', type: 'number' },
    { id: '3', name: 'member', type: 'boolean' },
  ],
  rowCount: 0,
};

/** Records the calls; every filter matches `rowCount` rows. */
function tables(rowCount = 1) {
  const rows = Array.from({ length: rowCount }, (_, index) => ({ id: index + 1, name: 'Ada' }));
  const missing = (): never => {
    throw new NodeOperationError('data table does not exist', {}, 'NOT_FOUND');
  };
  return {
    find: jest.fn<DataTableAccess['find']>(async (by) =>
      ('id' in by ? by.id === people.id : by.name === people.name) ? people : missing(),
    ),
    create: jest.fn<DataTableAccess['create']>(async () => people),
    rename: jest.fn<DataTableAccess['rename']>(async () => people),
    delete: jest.fn<DataTableAccess['delete']>(async () => {}),
    list: jest.fn<DataTableAccess['list']>(async () => [people]),
    rows: jest.fn<DataTableAccess['rows']>(async (_, __, { after = 0, limit }) => {
      const end = after + Math.min(limit, 900);
      return { rows: rows.slice(after, end), next: end < rowCount ? end : null };
    }),
    insert: jest.fn<DataTableAccess['insert']>(async (_, inserted) => inserted.map((__, id) => ({ id }))),
    update: jest.fn<DataTableAccess['update']>(async () => rows),
    upsert: jest.fn<DataTableAccess['upsert']>(async () => rows),
    preview: jest.fn<DataTableAccess['preview']>(async () => [{ before: { age: 1 }, after: { age: 2 } }]),
    clear: jest.fn<DataTableAccess['clear']>(async () => {}),
    deleteRows: jest.fn<DataTableAccess['deleteRows']>(async () => rows),
  };
}

const locator = { __rl: true, mode: 'id', value: 't1' };
const filters = { conditions: [{ keyName: 'age', condition: 'gte', keyValue: '18' }] };
const run = (dataTables: ReturnType<typeof tables>, parameters: JsonObject, more: FakeRun = {}) =>
  runForJson(dataTable, { parameters: { dataTableId: locator, ...parameters }, dataTables, ...more });
const adults = { type: 'or', filters: [{ columnName: 'age', condition: 'gte', value: 18 }] };
const signal = expect.anything();
const lastCall = (mock: { mock: { calls: readonly unknown[] } }) => mock.mock.calls.at(-1);

describe('rows', () => {
  test('are inserted with the defined columns, converted to their types', async () => {
    const access = tables();
    const value = { name: 5, age: '36', member: 'true', gone: 1, id: 9 };
    const columns = { mappingMode: 'defineBelow', value, schema: [{ id: 'gone', removed: true }] };
    expect(await run(access, { columns })).toEqual([{ id: 0 }]);
    expect(lastCall(access.insert)).toEqual(['t1', [{ name: '5', age: 36, member: true }], expect.any(AbortSignal)]);
  });

  test('are inserted in the same way by versions 1.1 and 1', async () => {
    const access = tables();
    const columns = {
      mappingMode: 'defineBelow',
      value: { name: 'Ada' },
      schema: [{ id: 'name', type: 'string', display: true, removed: false, readOnly: false, required: false }],
      matchingColumns: ['name'],
      attemptToConvertTypes: false,
      convertFieldsToString: false,
    };
    expect(dataTable.description.version).toEqual([1, 1.1]);
    expect(checkParameters(dataTable, { columns, options: {}, dataTableId: locator }, 1.1)).toEqual([]);
    expect(await run(access, { columns, options: {} }, { typeVersion: 1.1 })).toEqual([{ id: 0 }]);
    expect(lastCall(access.insert)).toEqual(['t1', [{ name: 'Ada' }], expect.any(AbortSignal)]);
  });

  test('rows that repeat a long value are inserted in small groups', async () => {
    const access = tables();
    const columns = { mappingMode: 'defineBelow', value: { name: 'x'.repeat(1_500_000) }, schema: [] };
    await run(access, { columns, options: { optimizeBulk: true } }, { json: [{}, {}, {}, {}, {}] });
    expect(access.insert.mock.calls.map(([, rows]) => rows.length)).toEqual([2, 2, 1]);
  });

  test('long mappings for many items never block the event loop', async () => {
    const names = Array.from({ length: 20_000 }, (_, i) => `f${i}`);
    const schema = names.map((id) => ({ id, removed: true }));
    const columns = { mappingMode: 'defineBelow', value: Object.fromEntries(names.map((name) => [name, 1])), schema };
    const json = Array.from({ length: 100 }, () => ({}));
    const parameters = { columns, options: { optimizeBulk: true } };
    expect(await longestBusy(() => run(tables(), parameters, { json }))).toBeLessThan(150);
  });

  test('with a field named like a built-in member are refused like rows with any other unknown column', async () => {
    const access = tables();
    await run(access, { columns: { mappingMode: 'autoMapInputData' } }, { json: [JSON.parse('{"__proto__":{"name":"x"}}')] });
    expect(Object.keys(access.insert.mock.calls[0]?.[1][0] ?? {})).toEqual(['__proto__']);
  });

  test('of all items are inserted in groups of 1,000 with "optimizeBulk"', async () => {
    const access = tables();
    const json = Array.from({ length: 1_500 }, (_, age) => ({ age }));
    const parameters = { columns: { mappingMode: 'autoMapInputData' }, options: { optimizeBulk: true } };
    expect(await run(access, parameters, { json })).toEqual([{ success: true, insertedRows: 1_500 }]);
    expect(access.insert.mock.calls.map(([, rows]) => rows.length)).toEqual([1_000, 500]);
    expect(access.find).toHaveBeenCalledTimes(1);
  });

  test.each<[JsonObject, number]>([
    [{}, 50],
    [{ limit: 7 }, 7],
    [{ returnAll: true }, 2_500],
  ])('are read page by page: %j', async (parameters, count) => {
    expect(await run(tables(2_500), { operation: 'get', ...parameters })).toHaveLength(count);
  });

  test.each<[string, JsonObject]>([
    ['rows', { operation: 'get', returnAll: true }],
    ['deleteRows', { operation: 'deleteRows', filters }],
    ['update', { operation: 'update', filters, columns: { value: { name: 'Eve' } } }],
  ])('that together exceed the memory are an error, not a crash: %s', async (name, parameters) => {
    const access = tables();
    const matchingRows = [{ id: 1, name: 'x'.repeat(1_000_000) }];
    access.rows.mockImplementation(async () => ({ rows: matchingRows, next: 1 }));
    for (const change of [access.deleteRows, access.update]) change.mockImplementation(async () => matchingRows);
    const json = Array.from({ length: 100 }, () => ({}));
    await expect(run(access, parameters, { json })).rejects.toMatchObject({ code: 'RESULT_TOO_LARGE' });
    expect(access[name as 'update'].mock.calls.length).toBeLessThan(200);
  });

  test('that match the conditions change with update and upsert', async () => {
    const access = tables();
    const parameters = { filters, columns: { value: { name: 'Eve' } } };
    expect(await run(access, { ...parameters, operation: 'update' })).toEqual([{ id: 1, name: 'Ada' }]);
    expect(lastCall(access.update)).toEqual(['t1', adults, { name: 'Eve' }, signal]);
    await run(access, { ...parameters, operation: 'upsert', matchType: 'allConditions' });
    expect(lastCall(access.upsert)).toEqual(['t1', { ...adults, type: 'and' }, { name: 'Eve' }, signal]);
  });

  test('that match the conditions are deleted', async () => {
    const access = tables(2);
    expect(await run(access, { operation: 'deleteRows', filters })).toHaveLength(2);
    expect(lastCall(access.deleteRows)).toEqual(['t1', adults, signal]);
  });

  test('stay unchanged in a dry run, which shows them before and after', async () => {
    const access = tables();
    const parameters = { filters, columns: { value: { age: 2 } }, options: { dryRun: true } };
    expect(await run(access, { ...parameters, operation: 'upsert' })).toEqual([
      { age: 1, dryRunState: 'before' },
      { age: 2, dryRunState: 'after' },
    ]);
    expect(await run(access, { ...parameters, operation: 'deleteRows' })).toEqual([
      { id: 1, name: 'Ada', dryRunState: 'before' },
    ]);
    expect(access.upsert).not.toHaveBeenCalled();
    expect(access.deleteRows).not.toHaveBeenCalled();
  });

  test.each([
    ['rowExists', 1, [{ n: 1 }]],
    ['rowExists', 0, []],
    ['rowNotExists', 1, []],
    ['rowNotExists', 0, [{ n: 1 }]],
  ])('decide which items pass: %s with %d rows', async (operation, rowCount, expected) => {
    expect(await run(tables(rowCount), { operation, filters }, { json: [{ n: 1 }] })).toEqual(expected);
  });

  test.each(['update', 'upsert', 'deleteRows', 'rowExists', 'rowNotExists'])(
    'are not matched without conditions: %s',
    async (operation) => {
      await expect(run(tables(), { operation })).rejects.toThrow('no condition was given');
    },
  );
});

describe('tables', () => {
  test.each<JsonObject[]>([
    [{ __rl: true, mode: 'name', value: 'people' }],
    [{ __rl: true, mode: 'list', value: 'of another installation', cachedResultName: 'people' }],
  ])('are found by %j', async (dataTableId) => {
    expect(await run(tables(), { operation: 'get', dataTableId })).toHaveLength(1);
  });

  test('that are unknown fail the item', async () => {
    const parameters = { operation: 'get', dataTableId: { ...locator, value: 'x' } };
    await expect(run(tables(), parameters)).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  test('are created, listed, renamed, and deleted', async () => {
    const access = tables();
    const call = (operation: string, more: JsonObject) => run(access, { resource: 'table', operation, ...more });
    const columns = { column: [{ name: 'age', type: 'number' }] };
    expect(await call('create', { tableName: 'new', columns })).toMatchObject([{ id: 't1', name: 'people' }]);
    expect(lastCall(access.create)).toEqual(['new', [{ name: 'age', type: 'number' }]]);
    await call('create', { tableName: 'people', columns, options: { createIfNotExists: true } });
    expect(access.create).toHaveBeenCalledTimes(1);
    expect(await call('list', {})).toHaveLength(1);
    await call('update', { newName: 'persons' });
    expect(lastCall(access.rename)).toEqual(['t1', 'persons']);
    expect(await call('delete', {})).toEqual([{ success: true, id: 't1' }]);
    expect(lastCall(access.delete)).toEqual(['t1']);
  });
});
