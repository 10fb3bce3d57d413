import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import type { JsonObject, JsonValue, MethodContext } from '@sluice/node-sdk';
import { type FakeRun, runForJson } from '@sluice/nodes-base/testing';
import type { ApiServer } from '../../testing/api-server.ts';
import { webhookContext } from '../../testing/webhook-context.ts';
import { example } from './microsoft-excel.example.ts';
import { microsoftExcel } from './microsoft-excel.ts';
import { excelServer } from './testing/excel-server.ts';

let server: ApiServer;
beforeAll(async () => {
  server = await excelServer();
});
afterEach(() => server.verify());
afterAll(() => server.close());

const credentials = { microsoftExcelOAuth2Api: { clientId: 'c', clientSecret: 's', oauthTokenData: { access_token: 't' } } };
const located = (value: string) => ({ __rl: true, mode: 'id', value });
const place = { workbook: located('wb1'), worksheet: located('{s 1}'), table: located('t1') };
const run = (parameters: JsonObject, more: FakeRun = {}) =>
  runForJson(microsoftExcel, { parameters: { ...place, ...parameters }, http: server.http, credentials, ...more });
const drive = '/v1.0/me/drive';
const sheet = '/items/wb1/workbook/worksheets/{s 1}';
const sent = () =>
  server.received.map(({ method, url, body }): [string, JsonValue] => [
    `${method} ${decodeURIComponent(url.replace(drive, '').replaceAll('+', ' '))}`,
    body.length > 0 ? JSON.parse(body.toString()) : null,
  ]);
const used = [`GET ${sheet}/usedRange(valuesOnly=true)?$select=columnIndex,rowIndex,values`, null];
const written = () => sent().filter(([request]) => !request.startsWith('GET'));

const ofSheet = { resource: 'worksheet' };
const ofTable = { resource: 'table' };
const people = [
  { Name: 'Ada', Age: 36, City: 'London' },
  { Name: 'Ada', Age: 9, City: '' },
];
const columns = [`GET ${sheet}/tables/t1/columns?$select=name&$top=1000`, null];

test('the example', async () => {
  expect(await run(example.parameters, { json: example.inputs?.[0] ?? [] })).toEqual([
    { ...example.outputs?.[0]?.[0], City: '' },
  ]);
});

test.each<[JsonObject, unknown[], unknown]>([
  [{ operation: 'getAll', limit: 5 }, [["GET /root/search(q='.xlsx')?$top=5", null]], [{ id: 'wb1', name: 'a.xlsx' }]],
  [
    { operation: 'getAll', returnAll: true, filters: { fields: 'id,name' } },
    [["GET /root/search(q='.xlsx')?$select=id,name&$top=1000", null]],
    [{ id: 'wb1', name: 'a.xlsx' }],
  ],
  [{ operation: 'deleteWorkbook' }, [['DELETE /items/wb1', null]], [{ success: true }]],
  [
    { operation: 'addWorksheet', additionalFields: { name: 'B' } },
    [['POST /items/wb1/workbook/worksheets/add', { name: 'B' }]],
    [{ id: 's2', name: 'B' }],
  ],
  [{ ...ofSheet }, [['GET /items/wb1/workbook/worksheets?$top=100', null]], [{ id: 's1', name: 'People' }]],
  [{ ...ofSheet, operation: 'deleteWorksheet' }, [[`DELETE ${sheet}`, null]], [{ success: true }]],
  [{ ...ofSheet, operation: 'clear' }, [[`POST ${sheet}/usedRange/clear`, { applyTo: 'All' }]], [{ success: true }]],
  [
    { ...ofSheet, operation: 'clear', applyTo: 'Contents', useRange: true, range: 'A1:B2' },
    [[`POST ${sheet}/range(address='A1:B2')/clear`, { applyTo: 'Contents' }]],
    [{ success: true }],
  ],
  [{ ...ofSheet, operation: 'readRows' }, [used], people],
  [
    { ...ofSheet, operation: 'readRows', useRange: true, range: "My 'x'!A1:C3", keyRow: 1, dataStartRow: 2 },
    [[`GET ${sheet}/range(address='A1:C3')?$select=columnIndex,rowIndex,values`, null]],
    [{ Ada: 'Ada', '36': 9, London: '' }],
  ],
  [{ ...ofSheet, operation: 'readRows', filters: { fields: [{ column: 'Age', value: '9' }] } }, [used], [people[1]]],
  [
    {
      ...ofSheet,
      operation: 'readRows',
      combineFilters: 'OR',
      filters: {
        fields: [
          { column: 'Age', value: 9 },
          { column: 'City', value: 'London' },
        ],
      },
    },
    [used],
    people,
  ],
  [
    { ...ofSheet, operation: 'readRows', options: { rawData: true, dataProperty: 'raw', fields: 'values' } },
    [[`GET ${sheet}/usedRange(valuesOnly=true)?$select=values`, null]],
    [{ raw: expect.objectContaining({ rowIndex: 1 }) }],
  ],
  [
    { ...ofSheet, operation: 'append', fieldsUi: { values: [{ column: 'Age', fieldValue: 5 }] } },
    [used, [`PATCH ${sheet}/range(address='B5:D5')`, { values: [[null, 5, null]] }]],
    [{ Name: '', Age: 5, City: '' }],
  ],
  [
    { ...ofSheet, operation: 'append', dataMode: 'raw', data: '[["Cy", 1], ["Di"]]' },
    [
      used,
      [
        `PATCH ${sheet}/range(address='B5:D6')`,
        {
          values: [
            ['Cy', 1, null],
            ['Di', null, null],
          ],
        },
      ],
    ],
    [
      { Name: 'Cy', Age: 1, City: '' },
      { Name: 'Di', Age: '', City: '' },
    ],
  ],
  [
    {
      ...ofSheet,
      operation: 'update',
      columnToMatchOn: 'Name',
      valueToMatchOn: 'Ada',
      fieldsUi: { values: [{ column: 'City', fieldValue: 'Rome' }] },
    },
    [used, [`PATCH ${sheet}/range(address='B3:D3')`, { values: [['Ada', null, 'Rome']] }]],
    [{ Name: 'Ada', Age: 36, City: 'Rome' }],
  ],
  [
    {
      ...ofSheet,
      operation: 'update',
      range: 'B2:D4',
      columnToMatchOn: 'Name',
      valueToMatchOn: 'Ada',
      fieldsUi: { values: [{ column: 'City', fieldValue: 'Rome' }] },
      options: { updateAll: true },
    },
    [
      [`GET ${sheet}/range(address='B2:D4')?$select=columnIndex,rowIndex,values`, null],
      [
        `PATCH ${sheet}/range(address='B3:D4')`,
        {
          values: [
            ['Ada', null, 'Rome'],
            ['Ada', null, 'Rome'],
          ],
        },
      ],
    ],
    [
      { Name: 'Ada', Age: 36, City: 'Rome' },
      { Name: 'Ada', Age: 9, City: 'Rome' },
    ],
  ],
  [
    {
      ...ofSheet,
      operation: 'update',
      dataMode: 'raw',
      data: [
        ['Name', 'Age'],
        ['Eve', 7],
      ],
    },
    [
      used,
      [
        `PATCH ${sheet}/range(address='B2:C3')`,
        {
          values: [
            ['Name', 'Age'],
            ['Eve', 7],
          ],
        },
      ],
    ],
    [{ Name: 'Eve', Age: 7 }],
  ],
  [
    {
      ...ofSheet,
      operation: 'upsert',
      columnToMatchOn: 'Name',
      valueToMatchOn: 'Eve',
      fieldsUi: { values: [{ column: 'Age', fieldValue: 7 }] },
    },
    [used, [`PATCH ${sheet}/range(address='B5:D5')`, { values: [['Eve', 7, null]] }]],
    [{ Name: 'Eve', Age: 7, City: '' }],
  ],
  [
    { ...ofTable, fieldsUi: { values: [{ column: 'Age', fieldValue: 5 }] }, options: { index: 0 } },
    [columns, [`POST ${sheet}/tables/t1/rows/add`, { index: 0, values: [[null, 5]] }]],
    [{ Name: '', Age: 5 }],
  ],
  [
    { ...ofTable, operation: 'append', dataMode: 'raw', data: '[["Cy", 1]]', options: { rawData: true } },
    [columns, [`POST ${sheet}/tables/t1/rows/add`, { index: null, values: [['Cy', 1]] }]],
    [{ data: [['Cy', 1]] }],
  ],
  [
    { ...ofTable, operation: 'convertToRange' },
    [[`POST ${sheet}/tables/t1/convertToRange`, null]],
    [{ address: 'People!A1:B3' }],
  ],
  [{ ...ofTable, operation: 'deleteTable' }, [[`DELETE ${sheet}/tables/t1`, null]], [{ success: true }]],
  [
    { ...ofTable, operation: 'addTable' },
    [
      [`GET ${sheet}/usedRange(valuesOnly=true)?$select=address`, null],
      [`POST ${sheet}/tables/add`, { address: 'B2:D4', hasHeaders: true }],
    ],
    [{ id: 't2', name: 'Table2' }],
  ],
  [
    { ...ofTable, operation: 'addTable', selectRange: 'manual', range: 'A1:B2', hasHeaders: false },
    [[`POST ${sheet}/tables/add`, { address: 'A1:B2', hasHeaders: false }]],
    [{ id: 't2', name: 'Table2' }],
  ],
  [
    { ...ofTable, operation: 'getColumns' },
    [[`GET ${sheet}/tables/t1/columns?$top=100`, null]],
    [{ Name: ['Ada', 'Bob'], Age: [36, 40] }],
  ],
  [
    { ...ofTable, operation: 'getColumns', rawData: true, dataProperty: 'x', limit: 1 },
    [[`GET ${sheet}/tables/t1/columns?$top=1`, null]],
    [{ x: [{ name: 'Name', values: [['Name'], ['Ada'], ['Bob']] }] }],
  ],
  [
    { ...ofTable, operation: 'getRows', limit: 1 },
    [columns, [`GET ${sheet}/tables/t1/rows?$top=1`, null]],
    [{ Name: 'Ada', Age: 36 }],
  ],
  [
    { ...ofTable, operation: 'getRows', limit: 1, filters: { fields: [{ column: 'Name', value: 'Bob' }] } },
    [columns, [`GET ${sheet}/tables/t1/rows?$top=1000`, null]],
    [{ Name: 'Bob', Age: 40 }],
  ],
  [
    { ...ofTable, operation: 'lookup', lookupColumn: 'Age', lookupValue: '40' },
    [columns, [`GET ${sheet}/tables/t1/rows?$top=1000`, null]],
    [{ Name: 'Bob', Age: 40 }],
  ],
])('%j sends %j', async (parameters, requests, produced) => {
  expect(await run(parameters)).toEqual(produced);
  expect(sent()).toEqual(requests);
});

test.each<[JsonObject, unknown[], unknown]>([
  [
    { ...ofTable, operation: 'addRow', additionalFields: { index: 1 } },
    [columns, [`POST ${sheet}/tables/t1/rows/add`, { index: 1, values: [['Cy', null]] }]],
    [{ Name: 'Cy', Age: '' }],
  ],
  [
    { ...ofTable, operation: 'getRows', rawData: true, filters: { fields: 'values' } },
    [[`GET ${sheet}/tables/t1/rows?$select=values&$top=100`, null]],
    [{ data: [expect.objectContaining({ index: 0 }), expect.objectContaining({ index: 1 })] }],
  ],
  [
    { ...ofSheet, operation: 'getContent', range: 'A1:C3' },
    [[`GET ${sheet}/range(address='A1:C3')?$select=columnIndex,rowIndex,values`, null]],
    people,
  ],
  [
    { ...ofSheet, operation: 'getContent', range: 'A1:C3', rawData: true, dataPropertyName: 'x' },
    [[`GET ${sheet}/range(address='A1:C3')`, null]],
    [{ x: expect.objectContaining({ columnIndex: 1 }) }],
  ],
])('version 1: %j sends %j', async (parameters, requests, produced) => {
  const plain = { workbook: 'wb1', worksheet: '{s 1}', table: 't1' };
  expect(await run({ ...plain, ...parameters }, { typeVersion: 1, json: [{ Name: 'Cy', x: 1 }] })).toEqual(produced);
  expect(sent()).toEqual(requests);
});

const matched = { ...ofSheet, columnToMatchOn: 'Name', dataMode: 'autoMap' };

test('items in one run share requests; rows between changed rows are unchanged', async () => {
  const values = [
    ['Name', 'Age'],
    ['Ada', 1],
    ['Bob', 2],
    ['Cy', 3],
  ];
  server.on(`GET ${drive}/items/:file/workbook/worksheets/:sheet/usedRange(valuesOnly=true)`, () => ({
    json: { rowIndex: 0, columnIndex: 0, values },
  }));
  const json = [
    { Name: 'Cy', Age: 4 },
    { Name: 'Di', Age: 5 },
    { Name: 'Ada', Age: 6, other: 1 },
    { Name: 'Di', Age: 7 },
  ];
  expect(await run({ ...matched, operation: 'upsert' }, { json })).toEqual([
    { Name: 'Cy', Age: 4 },
    { Name: 'Di', Age: 5 },
    { Name: 'Ada', Age: 6 },
    { Name: 'Di', Age: 7 },
  ]);
  const rows = [
    ['Ada', 6],
    [null, null],
    ['Cy', 4],
    ['Di', 7],
  ];
  expect(written()).toEqual([[`PATCH ${sheet}/range(address='A2:B5')`, { values: rows }]]);
});

test('an item without a matching row changes nothing, and the node has a hint', async () => {
  const hints: string[] = [];
  const addHints = (hint: { message: string }) => void hints.push(hint.message);
  expect(await run({ ...matched, operation: 'update' }, { json: [{ Name: 'Eve' }], addHints })).toEqual([]);
  expect(written()).toEqual([]);
  expect(hints).toEqual([expect.stringContaining('No row matches item 0')]);
});

test('fields become columns in an empty worksheet', async () => {
  server.on(`GET ${drive}/items/:file/workbook/worksheets/:sheet/usedRange(valuesOnly=true)`, () => ({
    json: { rowIndex: 0, columnIndex: 0, values: [['']] },
  }));
  const json = [{ a: 1, b: { c: 2 } }, { d: true }];
  await run({ ...ofSheet, operation: 'append', dataMode: 'autoMap' }, { json });
  const values = [
    ['a', 'b', 'd'],
    [1, '{"c":2}', null],
    [null, null, true],
  ];
  expect(written()).toEqual([[`PATCH ${sheet}/range(address='A1:C3')`, { values }]]);
});

const tableRows = `GET ${drive}/items/:file/workbook/worksheets/:sheet/tables/:table/rows`;

test('table rows are read to the end', async () => {
  server.on(tableRows, ({ query }) => {
    const skip = Number(query['$skip'] ?? 0);
    const count = Math.min(1_000, 1_500 - skip);
    return { json: { value: Array.from({ length: count }, (_, at) => ({ values: [[`n${skip + at}`, 1]] })) } };
  });
  const output = await run({ ...ofTable, operation: 'getRows', returnAll: true });
  expect([output.length, output.at(-1)]).toEqual([1_500, { Name: 'n1499', Age: 1 }]);
  expect(sent().map(([request]) => request.split('?')[1])).toEqual([
    '$select=name&$top=1000',
    '$top=1000',
    '$top=1000&$skip=1000',
  ]);
});

test('all matches of a lookup', async () => {
  server.on(tableRows, () => ({ json: { value: [{ values: [['Ada', 1]] }, { values: [['Ada', 2]] }] } }));
  const lookup = { ...ofTable, operation: 'lookup', lookupColumn: 'Name', lookupValue: 'Ada' };
  expect(await run(lookup)).toEqual([{ Name: 'Ada', Age: 1 }]);
  expect(await run({ ...lookup, options: { returnAllMatches: true } })).toHaveLength(2);
});

test('rows that a lookup does not return may exceed the size limit of a run', async () => {
  const values = [
    ['x'.repeat(22 * 1024 * 1024), 1],
    ['Ada', 2],
  ];
  server.on(tableRows, () => ({ json: { value: values.map((row) => ({ values: [row] })) } }));
  const lookup = { ...ofTable, operation: 'lookup', lookupColumn: 'Name', lookupValue: 'Ada' };
  expect(await run(lookup, { json: [{}, {}, {}] })).toEqual(Array(3).fill({ Name: 'Ada', Age: 2 }));
});

const worksheets = `GET ${drive}/items/:file/workbook/worksheets`;
const refusal = { status: 404, json: { error: { code: 'itemNotFound', message: 'The resource could not be found.' } } };

test('an error includes text and code, and the node may continue', async () => {
  server.on(worksheets, ({ count }) => (count === 1 ? refusal : { json: { value: [{ id: 's1' }] } }));
  expect(await run(ofSheet, { json: [{}, {}], continueOnFail: true })).toEqual([
    { error: 'Microsoft Excel: The resource could not be found. (itemNotFound)' },
    { id: 's1' },
  ]);
});

test('a rate-limited request is retried', async () => {
  server.on(worksheets, ({ count }) =>
    count === 1 ? { status: 429, headers: { 'retry-after': '0' } } : { json: { value: [{ id: 's1' }] } },
  );
  expect(await run(ofSheet)).toEqual([{ id: 's1' }]);
});

test('a workbook URL contains its ID', async () => {
  const workbook = { __rl: true, mode: 'url', value: 'https://onedrive.live.com/edit.aspx?resid=2D96%2115370&x=1' };
  await run({ ...ofSheet, workbook });
  expect(sent()).toEqual([['GET /items/2D96!15370/workbook/worksheets?$top=100', null]]);
});

test.each<[JsonObject, string]>([
  [{ ...ofSheet, operation: 'readRows', worksheet: located('') }, 'the parameter "worksheet" is required'],
  [{ ...ofSheet, operation: 'append', dataMode: 'raw', data: '{"a":1}' }, 'the parameter "data" is not a list of rows'],
  [{ ...matched, operation: 'update', columnToMatchOn: 'x' }, 'there is no column "x"'],
  [{ ...matched, operation: 'update' }, 'the column "Name" has no value to match'],
  [{ ...ofSheet, operation: 'append', fieldsUi: { values: [{ column: 'x' }] } }, 'there is no column "x"'],
  [{ ...ofSheet, operation: 'readRows', filters: { fields: [{ column: 'x' }] } }, 'there is no column "x"'],
  [{ ...ofTable, operation: 'lookup', lookupColumn: 'x' }, 'there is no column "x"'],
])('%j is refused before a change', async (parameters, message) => {
  await expect(run(parameters)).rejects.toThrow(message);
  expect(written()).toEqual([]);
});

test('editors list workbooks, worksheets, tables, and columns', async () => {
  const context = webhookContext({ parameters: place, http: server.http, credentials }) as unknown as MethodContext;
  const { listSearch = {}, loadOptions = {} } = microsoftExcel.methods ?? {};
  expect(await listSearch['searchWorkbooks']?.(context)).toEqual({ results: [{ name: 'a.xlsx', value: 'wb1' }] });
  expect(await listSearch['getWorksheetsList']?.(context, 'peo')).toEqual({ results: [{ name: 'People', value: 's1' }] });
  expect(await listSearch['getWorksheetTables']?.(context, 'x')).toEqual({ results: [] });
  expect(await loadOptions['getWorksheetColumnRow']?.(context)).toEqual(
    ['Name', 'Age', 'City'].map((name) => ({ name, value: name })),
  );
});
