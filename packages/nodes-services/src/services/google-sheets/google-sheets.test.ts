import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { HttpClient, JsonObject, MethodContext } from '@sluice/node-sdk';
import { type FakeRun, runForJson } from '@sluice/nodes-base/testing';
import { longestBusy } from '@sluice/test-support';
import { columnIndex, columnLetters, startOf } from '../../shared/a1.ts';
import { webhookContext } from '../../testing/webhook-context.ts';
import { example } from './google-sheets.example.ts';
import { googleSheets } from './google-sheets.ts';
import { googleSheetsServer, type SheetsServer } from './testing/google-sheets-server.ts';

let server: SheetsServer;
beforeAll(async () => {
  server = await googleSheetsServer();
});
beforeEach(() => {
  server.sheets = {
    Sheet1: [['x']],
    People: [
      ['Name', 'Age', 'City'],
      ['Ada', 36, 'London'],
      ['', '', ''],
      ['Bob', 40],
      ['Ada', 9, 'Rome'],
    ],
  };
});
afterEach(() => server.verify());
afterAll(() => server.close());

const credentials = { googleSheetsOAuth2Api: { oauthTokenData: { access_token: 'ya29' } } };
const people = {
  documentId: { __rl: true, mode: 'id', value: 'doc1' },
  sheetName: { __rl: true, mode: 'name', value: 'People' },
};
const runOf = (parameters: JsonObject, more: FakeRun = {}): FakeRun => ({
  parameters: { ...people, ...parameters },
  http: server.http,
  credentials,
  ...more,
});
const run = (parameters: JsonObject, more: FakeRun = {}) => runForJson(googleSheets, runOf(parameters, more));
const sent = () =>
  server.received.map(({ method, url }) => `${method} ${decodeURIComponent(new URL(url, server.origin).pathname)}`);
const below = (value: JsonObject, ...matchingColumns: string[]) => ({
  columns: { mappingMode: 'defineBelow', value, matchingColumns },
});
const auto = (...matchingColumns: string[]) => ({ columns: { mappingMode: 'autoMapInputData', value: {}, matchingColumns } });
const rowsOf = () => server.sheets['People'];
const names = async (parameters: JsonObject, more?: FakeRun) =>
  (await run(parameters, more)).map(({ Name = '', row_number: row = '' }) => `${Name} ${row}`);

test('columns have letters', () => {
  expect([0, 25, 26, 701, 702].map(columnLetters)).toEqual(['A', 'Z', 'AA', 'ZZ', 'AAA']);
  expect(['A', 'Z', 'aa', 'ZZ', 'AAA'].map(columnIndex)).toEqual([0, 25, 26, 701, 702]);
  expect([startOf("'a!B9'!C7:D"), startOf('B:F'), startOf('3:9')]).toEqual([
    { row: 6, column: 2 },
    { row: 0, column: 1 },
    { row: 2, column: 0 },
  ]);
});

test('the example, with a service account as well', async () => {
  expect(await run(example.parameters, { json: [{ Name: 'Ada', Age: 36 }] })).toEqual(example.outputs?.[0]);
  expect(rowsOf()?.at(-1)).toEqual(['Ada', 36]);
});

describe('rows that are read', () => {
  test('are objects with their number, without empty rows', async () => {
    expect(await run({})).toEqual([
      { row_number: 2, Name: 'Ada', Age: 36, City: 'London' },
      { row_number: 4, Name: 'Bob', Age: 40, City: '' },
      { row_number: 5, Name: 'Ada', Age: 9, City: 'Rome' },
    ]);
    expect(sent()).toEqual(['GET /v4/spreadsheets/doc1', "GET /v4/spreadsheets/doc1/values/'People'"]);
  });

  test.each<[string, JsonObject, string[]]>([
    ['a filter', { filtersUI: { values: [{ lookupColumn: 'Age', lookupValue: '40' }] } }, ['Bob 4']],
    ['all matches', { filtersUI: { values: [{ lookupColumn: 'Name', lookupValue: 'Ada' }] } }, ['Ada 2', 'Ada 5']],
    [
      'the first match',
      { filtersUI: { values: [{ lookupColumn: 'Name', lookupValue: 'Ada' }] }, options: { returnFirstMatch: true } },
      ['Ada 2'],
    ],
    [
      'both filters',
      {
        filtersUI: {
          values: [
            { lookupColumn: 'Name', lookupValue: 'Ada' },
            { lookupColumn: 'City', lookupValue: 'Rome' },
          ],
        },
      },
      ['Ada 5'],
    ],
    [
      'one of two filters',
      {
        filtersUI: {
          values: [
            { lookupColumn: 'Name', lookupValue: 'Bob' },
            { lookupColumn: 'City', lookupValue: 'Rome' },
          ],
        },
        combineFilters: 'OR',
      },
      ['Bob 4', 'Ada 5'],
    ],
    ['no match', { filtersUI: { values: [{ lookupColumn: 'Name', lookupValue: 'Eve' }] } }, []],
    [
      'rows until an empty one',
      {
        options: {
          dataLocationOnSheet: { values: { rangeDefinition: 'detectAutomatically', readRowsUntil: 'firstEmptyRow' } },
        },
      },
      ['Ada 2'],
    ],
    [
      'rows from a later one',
      { options: { dataLocationOnSheet: { values: { rangeDefinition: 'specifyRange', headerRow: 1, firstDataRow: 4 } } } },
      ['Bob 4', 'Ada 5'],
    ],
  ])('are those of %s', async (_, parameters, expected) => {
    expect(await names(parameters)).toEqual(expected);
  });

  test('in a range have its first row as names', async () => {
    server.sheets['People'] = [['note'], ['', 'Name', '', 'Name'], ['', 'Ada', 1, 'Lovelace']];
    const dataLocationOnSheet = { values: { rangeDefinition: 'specifyRangeA1', range: 'B2:D' } };
    expect(await run({ options: { dataLocationOnSheet } })).toEqual([
      { row_number: 3, Name: 'Ada', col_3: 1, Name_2: 'Lovelace' },
    ]);
  });

  test('before version 4.5 are the first match, unless all are requested', async () => {
    const parameters = { filtersUI: { values: [{ lookupColumn: 'Name', lookupValue: 'Ada' }] } };
    expect(await names(parameters, { typeVersion: 4.4 })).toEqual(['Ada 2']);
    const all = { ...parameters, options: { returnAllMatches: 'returnAllMatches' } };
    expect(await names(all, { typeVersion: 4 })).toHaveLength(2);
  });

  test('before version 4.3, a row needs to match only one filter, unless the author chose AND', async () => {
    const values = [
      { lookupColumn: 'Name', lookupValue: 'Bob' },
      { lookupColumn: 'City', lookupValue: 'Rome' },
    ];
    const parameters = { filtersUI: { values }, options: { returnAllMatches: 'returnAllMatches' } };
    expect(await names(parameters, { typeVersion: 4.2 })).toEqual(['Bob 4', 'Ada 5']);
    expect(await names({ ...parameters, combineFilters: 'AND' }, { typeVersion: 4.2 })).toEqual([]);
    expect(await names(parameters, { typeVersion: 4.3 })).toEqual([]);
  });

  test('are formatted as the options specify', async () => {
    await run({ options: { outputFormatting: { values: { general: 'FORMATTED_VALUE', date: 'SERIAL_NUMBER' } } } });
    expect(server.received[1]?.url).toContain('valueRenderOption=FORMATTED_VALUE&dateTimeRenderOption=SERIAL_NUMBER');
  });

  test('are read once for items with the same query', async () => {
    expect(await run({}, { json: [{}, {}] })).toHaveLength(6);
    expect(sent()).toHaveLength(2);
  });
});

describe('rows that are added', () => {
  test('have the values in the order of the columns, with one request for all items', async () => {
    await run({ operation: 'append', ...auto() }, { json: [{ City: 'Bern', Name: 'Eve', row_number: 9 }, { Name: 'Zoe' }] });
    expect(rowsOf()?.slice(5)).toEqual([['Eve', '', 'Bern'], ['Zoe']]);
    expect(sent()).toEqual([
      'GET /v4/spreadsheets/doc1',
      "GET /v4/spreadsheets/doc1/values/'People'!1:1",
      "POST /v4/spreadsheets/doc1/values/'People'!A1:C:append",
    ]);
  });

  test.each([
    ['insertInNewColumn', ['Name', 'Age', 'City', 'Mail'], ['Eve', '', '', 'e@x']],
    ['ignoreIt', ['Name', 'Age', 'City'], ['Eve']],
  ])('have fields without a column: %s', async (handlingExtraData, header, row) => {
    const parameters = { operation: 'append', ...below({ Name: 'Eve', Mail: 'e@x' }), options: { handlingExtraData } };
    expect(await run(parameters)).toEqual([{ Name: 'Eve', Mail: 'e@x' }]);
    expect([rowsOf()?.[0], rowsOf()?.at(-1)]).toEqual([header, row]);
  });

  test('add the header to an empty sheet', async () => {
    server.sheets['People'] = [];
    await run(
      { operation: 'append', ...auto() },
      {
        json: [
          { a: 1, b: { c: 2 } },
          { b: null, d: 'x' },
        ],
      },
    );
    expect(rowsOf()).toEqual([
      ['a', 'b', 'd'],
      [1, '{"c":2}'],
      ['', '', 'x'],
    ]);
  });

  test('start in column A, although the service detected the last row as a separate table', async () => {
    server.on('POST /v4/spreadsheets/:id/values/:range::append', () => {
      server.sheets['People']?.push(['', 'Eve', '', 'Bern']);
      return { json: { updates: { updatedRange: "'People'!B6:D6" } } };
    });
    await run({ operation: 'append', ...below({ Name: 'Eve', City: 'Bern' }) });
    expect(rowsOf()?.at(-1)).toEqual(['Eve', '', 'Bern', '']);
  });

  test('are interpreted as user input, or raw', async () => {
    await run({ operation: 'append', ...below({ Name: '=1+1' }) });
    await run({ operation: 'append', ...below({ Name: '=1+1' }), options: { cellFormat: 'RAW' } });
    const inputs = server.received.map(({ url }) => new URL(url, server.origin).searchParams.get('valueInputOption'));
    expect(inputs.filter(Boolean)).toEqual(['USER_ENTERED', 'RAW']);
  });

  test('have the fields of version 3', async () => {
    const fieldsUi = { fieldValues: [{ fieldId: 'Name', fieldValue: 'Eve' }] };
    const parameters = { operation: 'append', dataMode: 'defineBelow', fieldsUi };
    expect(await run(parameters, { typeVersion: 3 })).toEqual([{ Name: 'Eve' }]);
    expect(rowsOf()?.at(-1)).toEqual(['Eve']);
  });
});

test('version 4 has a resource mapper', async () => {
  await run({ operation: 'append', ...below({ Name: 'Eve' }) }, { typeVersion: 4 });
  await run({ operation: 'update', ...below({ Name: 'Bob', City: 'Bern' }, 'Name') }, { typeVersion: 4 });
  expect([rowsOf()?.[3], rowsOf()?.at(-1)]).toEqual([['Bob', 40, 'Bern'], ['Eve']]);
});

test.each(['append', 'update', 'appendOrUpdate'])('%s finds the columns in the chosen header row', async (operation) => {
  server.sheets['People'] = [['People of 2026'], [], ['Name', 'Age'], ['(text)', '(years)'], ['Bob', 40]];
  const options = { locationDefine: { values: { headerRow: 3, firstDataRow: 5 } } };
  await run({ operation, ...below({ Age: 41, Name: 'Bob' }, 'Name'), options });
  await run({ operation, ...below({ Age: 1, Name: '(text)' }, 'Name'), options });
  const added = operation === 'update' ? [] : [['(text)', 1]];
  const rows = operation === 'append' ? [['Bob', 40], ['Bob', 41], ...added] : [['Bob', 41], ...added];
  expect(rowsOf()).toEqual([['People of 2026'], [], ['Name', 'Age'], ['(text)', '(years)'], ...rows]);
});

describe('rows that are changed', () => {
  test('are the first matches; other cells are kept', async () => {
    expect(await run({ operation: 'update', ...below({ Name: 'Ada', Age: 37 }, 'Name') })).toEqual([{ Name: 'Ada', Age: 37 }]);
    expect([rowsOf()?.[1], rowsOf()?.[4]]).toEqual([
      ['Ada', 37, 'London'],
      ['Ada', 9, 'Rome'],
    ]);
  });

  test('match by several columns, or by their number', async () => {
    await run({ operation: 'update', ...below({ Name: 'Ada', Age: '9', City: 'Pisa' }, 'Name', 'Age') });
    await run({ operation: 'update', ...auto('row_number') }, { json: [{ row_number: 4, City: 'Bern' }] });
    expect(rowsOf()?.slice(3)).toEqual([
      ['Bob', 40, 'Bern'],
      ['Ada', '9', 'Pisa'],
    ]);
  });

  test('produce a hint if they do not exist', async () => {
    const before = structuredClone(rowsOf());
    const hints: string[] = [];
    const addHints = (...added: readonly { message: string }[]) => void hints.push(...added.map(({ message }) => message));
    await run({ operation: 'update', ...below({ Name: 'Eve', Age: 1 }, 'Name') }, { addHints });
    expect(hints).toEqual([expect.stringContaining('No row matches item 0')]);
    expect(rowsOf()).toEqual(before);
  });

  test('are added if missing, once for items that match each other', async () => {
    const json: JsonObject[] = [
      { Name: 'Bob', Age: 41 },
      { Name: 'Eve', Age: 1 },
      { Name: 'Eve', City: 'Bern' },
    ];
    await run({ operation: 'appendOrUpdate', ...auto('Name') }, { json });
    expect(rowsOf()?.slice(3)).toEqual([
      ['Bob', 41],
      ['Ada', 9, 'Rome'],
      ['Eve', 1, 'Bern'],
    ]);
  });

  test('have the fields of version 3', async () => {
    const fieldsUi: JsonObject = {
      values: [
        { column: 'City', fieldValue: 'Bern' },
        { column: 'newColumn', columnName: 'Mail', fieldValue: 'b@x' },
      ],
    };
    const parameters = { operation: 'update', columnToMatchOn: 'Name', valueToMatchOn: 'Bob', fieldsUi };
    await run(parameters, { typeVersion: 3 });
    expect([rowsOf()?.[0], rowsOf()?.[3]]).toEqual([
      ['Name', 'Age', 'City', 'Mail'],
      ['Bob', 40, 'Bern', 'b@x'],
    ]);
  });
});

test('100,000 rows and items do not block the event loop', async () => {
  const numbers = Array.from({ length: 100_000 }, (_, index) => index);
  const values = [['Name', 'n'], ...numbers.map((index) => [`Ada ${index}`, index])];
  const bodies: Record<string, unknown> = {
    '/v4/spreadsheets/doc1': { sheets: [{ properties: { title: 'People' } }] },
    "/v4/spreadsheets/doc1/values/'People'": { values },
    "/v4/spreadsheets/doc1/values/'People'!1:1": { values: [['Name', 'n']] },
    '/v4/spreadsheets/doc1/values:batchGet': { valueRanges: [{ values: values.map(([name]) => [name]) }] },
  };
  const answers = new Map(Object.entries(bodies).map(([path, body]) => [path, Buffer.from(JSON.stringify(body))]));
  const request: HttpClient['request'] = async ({ url }) => {
    const body = answers.get(decodeURIComponent(new URL(url).pathname)) ?? Buffer.from('{}');
    return { status: 200, statusText: 'OK', headers: {}, url, body };
  };
  const http = { ...server.http, request };
  const json = numbers.map((index) => ({ Name: `Ada ${index * 2}`, n: index }));
  const filtersUI = { values: [{ lookupColumn: 'n', lookupValue: '99999' }] };
  const works = [
    async () => expect(await run({ filtersUI }, { http })).toHaveLength(1),
    async () => expect(await run({ operation: 'append', ...auto() }, { http, json })).toHaveLength(100_000),
    async () => expect(await run({ operation: 'appendOrUpdate', ...auto('Name') }, { http, json })).toHaveLength(100_000),
  ];
  for (const work of works) expect(await longestBusy(work)).toBeLessThan(250);
});

describe('100,000 items that read 100,000 rows', () => {
  const numbers = Array.from({ length: 100_000 }, (_, index) => index);
  const values = [['Name', 'n'], ...numbers.map((index) => ['Ada', index])];
  const sheet = Buffer.from(JSON.stringify({ sheets: [{ properties: { title: 'People' } }] }));
  const body = Buffer.from(JSON.stringify({ values }));
  const request: HttpClient['request'] = async ({ url }) => ({
    ...{ status: 200, statusText: 'OK', headers: {}, url },
    body: url.includes('/values/') ? body : sheet,
  });
  const read = (parameters: JsonObject) =>
    run(parameters, { http: { ...server.http, request }, json: numbers.map((n) => ({ n })) });
  const ada = { lookupColumn: 'Name', lookupValue: 'Ada' };
  const last = { lookupColumn: 'n', lookupValue: '99999' };
  const lastRow = { row_number: 100_001, Name: 'Ada', n: 99_999 };

  // Comparing each row for each item takes longer than the test timeout.
  test.each<[string, JsonObject, JsonObject]>([
    ['the last row', { filtersUI: { values: [last] } }, lastRow],
    ['the last row by all filters', { filtersUI: { values: [ada, last] } }, lastRow],
    [
      'the first row of all',
      { filtersUI: { values: [ada] }, options: { returnFirstMatch: true } },
      { ...lastRow, row_number: 2, n: 0 },
    ],
    [
      'the first row of any filter',
      { filtersUI: { values: [last, ada] }, combineFilters: 'OR', options: { returnFirstMatch: true } },
      { ...lastRow, row_number: 2, n: 0 },
    ],
  ])('find %s', async (_, parameters, expected) => {
    const rows = await read(parameters);
    expect(rows).toHaveLength(100_000);
    expect(rows.at(-1)).toEqual(expected);
  });
});

test.each<[JsonObject, string, unknown]>([
  [{}, "'People'", [[], [], [], [], []]],
  [{ keepFirstRow: true }, "'People'!2:5", [['Name', 'Age', 'City'], [], [], [], []]],
  [{ clear: 'specificRows', startIndex: 2, rowsToDelete: 2 }, "'People'!2:3", undefined],
  [{ clear: 'specificColumns', startIndex: 'B', columnsToDelete: 2 }, "'People'!B:C", undefined],
  [{ clear: 'specificRange', range: 'A2:B4' }, "'People'!A2:B4", undefined],
])('clears %j', async (parameters, range, expected) => {
  expect(await run({ operation: 'clear', ...parameters })).toEqual([{ success: true }]);
  expect(sent().at(-1)).toBe(`POST /v4/spreadsheets/doc1/values/${range}:clear`);
  if (expected) expect(rowsOf()?.map((row) => row.filter((cell) => cell !== ''))).toEqual(expected);
});

test.each<[JsonObject, unknown]>([
  [
    { operation: 'delete', startIndex: 3, numberToDelete: 2 },
    { deleteDimension: { range: { sheetId: 1, dimension: 'ROWS', startIndex: 2, endIndex: 4 } } },
  ],
  [
    { operation: 'delete', toDelete: 'columns', startIndex: 'AB' },
    { deleteDimension: { range: { sheetId: 1, dimension: 'COLUMNS', startIndex: 27, endIndex: 28 } } },
  ],
  [{ operation: 'remove', sheetName: { __rl: true, mode: 'list', value: 'gid=0' } }, { deleteSheet: { sheetId: 0 } }],
  [
    { operation: 'create', title: 'New', options: { hidden: true, tabColor: '#ff0000' } },
    { addSheet: { properties: { title: 'New', hidden: true, tabColor: { red: 1, green: 0, blue: 0 } } } },
  ],
])('changes the document: %j', async (parameters, request) => {
  const [lastRow] = await run(parameters);
  expect(JSON.parse(server.received.at(-1)?.body.toString() ?? '')).toEqual({ requests: [request] });
  expect(lastRow).toMatchObject(
    parameters['operation'] === 'create' ? { spreadsheetId: 'doc1', title: 'New' } : { success: true },
  );
});

test('creates a document with sheets', async () => {
  const sheetsUi = { sheetValues: [{ title: 'A', propertiesUi: { hidden: true } }] };
  const parameters = { resource: 'spreadsheet', operation: 'create', title: 'T', sheetsUi, options: { locale: 'de' } };
  expect(await run(parameters)).toEqual([
    {
      spreadsheetId: 'doc2',
      properties: { title: 'T', locale: 'de' },
      sheets: [{ properties: { title: 'A', hidden: true } }],
    },
  ]);
});

test.each<[string, unknown]>([
  ['a name', { __rl: true, mode: 'name', value: 'People' }],
  ['an ID', { __rl: true, mode: 'id', value: '1' }],
  ['an entry of the list', { __rl: true, mode: 'list', value: 1, cachedResultName: 'x' }],
  ['an address', { __rl: true, mode: 'url', value: 'https://docs.google.com/spreadsheets/d/doc1/edit#gid=1' }],
  ['text', 'People'],
  ['text with an ID', 'gid=1'],
])('the sheet is named by %s', async (_, sheetName) => {
  expect(await run({ sheetName } as JsonObject)).toHaveLength(3);
});

test.each<[JsonObject, string]>([
  [{ sheetName: { __rl: true, mode: 'name', value: 'Gone' } }, 'the document has no sheet "Gone"'],
  [{ filtersUI: { values: [{ lookupColumn: 'Gone' }] } }, 'the sheet has no column "Gone" to filter by'],
  [{ operation: 'append', ...below({ Gone: 1 }), options: { handlingExtraData: 'error' } }, 'the sheet has no column "Gone"'],
  [{ operation: 'update', ...below({ Name: 'x' }) }, 'no column to match on is set'],
  [{ operation: 'update', ...below({ Gone: 'x' }, 'Gone') }, 'the sheet has no column "Gone" to match on'],
  [{ operation: 'update', ...below({ Age: 'x' }, 'Name') }, 'the column "Name" has no value to match'],
  [{ operation: 'update', ...below({ row_number: 'x' }, 'row_number') }, 'the row number is not a positive integer'],
  [{ operation: 'delete', toDelete: 'columns', startIndex: '2' }, 'the start column is not a column'],
])('%j is refused', async (parameters, message) => {
  await expect(run(parameters)).rejects.toMatchObject({ message, itemIndex: 0 });
  expect(server.received.every(({ method }) => method === 'GET')).toBe(true);
});

test('an error includes the code and text from Google, and a hint', async () => {
  server.on('GET /v4/spreadsheets/:id', () => ({
    status: 403,
    json: { error: { code: 403, message: 'The caller does not have permission', status: 'PERMISSION_DENIED' } },
  }));
  await expect(run({})).rejects.toMatchObject({
    message: 'Google Sheets: The caller does not have permission (PERMISSION_DENIED)',
    description: expect.stringContaining('Share the document'),
  });
});

test('a request over the quota is retried', async () => {
  server.on('GET /v4/spreadsheets/:id', ({ count }) =>
    count === 1
      ? { status: 429, headers: { 'retry-after': '0' }, json: { error: { status: 'RESOURCE_EXHAUSTED', message: 'Quota' } } }
      : { json: { sheets: [{ properties: { title: 'People' } }] } },
  );
  expect(await run({})).toHaveLength(3);
});

test('a failure of the whole node is one item if the node continues', async () => {
  const parameters = { sheetName: { __rl: true, mode: 'name', value: 'Gone' } };
  expect(await run(parameters, { json: [{}, {}], continueOnFail: true })).toEqual([
    { error: 'the document has no sheet "Gone"' },
  ]);
});

test('columns can be selected for a document and a sheet selected by URL', async () => {
  const located = { __rl: true, mode: 'url', value: 'https://docs.google.com/spreadsheets/d/doc1/edit#gid=1' };
  const parameters = { documentId: located, sheetName: located };
  const context: MethodContext = webhookContext({ http: server.http, credentials, parameters, typeVersion: 4.7 });
  expect(await googleSheets.methods?.loadOptions?.['getSheetHeaderRow']?.(context)).toHaveLength(3);
});

test('sheets and columns can be chosen', async () => {
  const context: MethodContext = webhookContext({ http: server.http, credentials, parameters: people, typeVersion: 4.7 });
  const { listSearch, loadOptions, resourceMapping } = googleSheets.methods ?? {};
  expect(await listSearch?.['sheetsSearch']?.(context, 'peo')).toEqual({ results: [{ name: 'People', value: '1' }] });
  expect(await loadOptions?.['getSheetHeaderRow']?.(context)).toHaveLength(3);
  expect(await resourceMapping?.['getMappingColumns']?.(context)).toMatchObject({
    fields: [{ id: 'row_number' }, { id: 'Name' }, { id: 'Age' }, { id: 'City' }],
  });
});
