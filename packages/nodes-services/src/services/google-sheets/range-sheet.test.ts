import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { JsonObject, MethodContext } from '@sluice/node-sdk';
import { type FakeRun, runForJson } from '@sluice/nodes-base/testing';
import { longestBusy } from '@sluice/test-support';
import { webhookContext } from '../../testing/webhook-context.ts';
import { googleSheets } from './google-sheets.ts';
import { googleSheetsServer, type SheetsServer } from './testing/google-sheets-server.ts';

let server: SheetsServer;
beforeAll(async () => {
  server = await googleSheetsServer();
});
beforeEach(() => {
  server.sheets = {
    People: [
      ['id', 'Name', 'Age'],
      [1, 'Ada', 36],
      ['', '', ''],
      [2, 'Bob'],
      [3, 'Ada', 9],
    ],
    Other: [
      ['note', '', ''],
      ['', 'id', 'a.b'],
      ['', 'x', 1],
    ],
  };
});
afterEach(() => server.verify());
afterAll(() => server.close());

const credentials = { googleSheetsOAuth2Api: { oauthTokenData: { access_token: 'ya29' } } };
const run = (parameters: JsonObject, more: FakeRun = {}): Promise<JsonObject[]> =>
  runForJson(googleSheets, {
    parameters: { sheetId: 'doc1', options: {}, ...parameters },
    http: server.http,
    credentials,
    typeVersion: 2,
    ...more,
  });
const sent = () =>
  server.received.map(({ method, url }) => `${method} ${decodeURIComponent(new URL(url, server.origin).pathname)}`);
const rowsOf = (title = 'People') => server.sheets[title];

describe('rows that are read', () => {
  const ada = { id: 1, Name: 'Ada', Age: 36 };
  const bob = { id: 2, Name: 'Bob', Age: '' };

  test('are in the first sheet, read once for all items, and have no row number', async () => {
    expect(await run({}, { json: [{}, {}] })).toEqual([ada, bob, { id: 3, Name: 'Ada', Age: 9 }]);
    expect(sent()).toEqual(['GET /v4/spreadsheets/doc1/values/A:F']);
  });

  test('are in a range, with its rows for names and data', async () => {
    expect(await run({ range: 'Other!B1:C', keyRow: 1, dataStartRow: 2 })).toEqual([{ id: 'x', 'a.b': 1 }]);
  });

  test('are lists, or formatted, as the options specify', async () => {
    const parameters = { range: "'Other'!B2:C3", rawData: true, dataProperty: 'rows' };
    expect(await run({ ...parameters, options: { valueRenderMode: 'FORMULA' } })).toEqual([
      {
        rows: [
          ['id', 'a.b'],
          ['x', 1],
        ],
      },
    ]);
    expect(server.received[0]?.url).toContain('valueRenderOption=FORMULA');
  });

  test.each<[JsonObject, JsonObject[]]>([
    [{}, []],
    [{ continue: true }, [{}]],
  ])('are none, with %j', async (options, expected) => {
    server.sheets['People'] = [['id']];
    expect(await run({ options })).toEqual(expected);
  });

  test.each<[JsonObject, JsonObject, JsonObject[]]>([
    [{ lookupColumn: 'id', lookupValue: '2' }, {}, [bob]],
    [{ lookupColumn: 'Name', lookupValue: 'Ada' }, {}, [ada]],
    [{ lookupColumn: 'Name', lookupValue: 'Ada' }, { returnAllMatches: true }, [ada, { id: 3, Name: 'Ada', Age: 9 }]],
    [{ lookupColumn: 'id', lookupValue: 9 }, {}, []],
    [{ lookupColumn: 'id', lookupValue: 9 }, { continue: true }, [{}]],
  ])('are looked up by %j with %j', async (parameters, options, expected) => {
    expect(await run({ operation: 'lookup', ...parameters, options })).toEqual(expected);
  });

  test('are looked up for all items with one request', async () => {
    const parameters = { operation: 'lookup', lookupColumn: 'id', lookupValue: 2 };
    expect(await run(parameters, { json: [{}, {}] })).toEqual([bob, bob]);
    expect(sent()).toHaveLength(1);
  });
});

describe('rows that are added', () => {
  test('have the fields that are columns; items are passed through', async () => {
    const json: JsonObject[] = [{ Age: 5, id: 4, more: 'x' }, { Name: 'Zoe' }];
    expect(await run({ operation: 'append' }, { json })).toEqual(json);
    expect(rowsOf()?.slice(5)).toEqual([
      [4, '', 5],
      ['', 'Zoe'],
    ]);
    expect(sent()).toEqual(['GET /v4/spreadsheets/doc1/values/A1:F1', 'POST /v4/spreadsheets/doc1/values/A1:C:append']);
    expect(server.received[1]?.url).toContain('valueInputOption=RAW');
  });

  test('start in the first column of the range, although the service detected another table', async () => {
    server.on('POST /v4/spreadsheets/:id/values/:range::append', () => {
      server.sheets['Other']?.push(['', '', 'y', 2]);
      return { json: { updates: { updatedRange: 'Other!C4:D4' } } };
    });
    const options = { usePathForKeyRow: true, valueInputMode: 'USER_ENTERED' };
    const parameters = { operation: 'append', range: 'Other!B2:C', options };
    await run(parameters, { json: [{ id: 'y', a: { b: 2 } }] });
    expect(rowsOf('Other')?.at(-1)).toEqual(['', 'y', 2, '']);
    expect(server.received.at(-1)?.body.toString()).toContain('USER_ENTERED');
  });

  test('add the header to an empty sheet', async () => {
    server.sheets['People'] = [];
    await run({ operation: 'append', range: '1:9' }, { json: [{ a: 1 }, { a: 2, b: 3 }] });
    expect(rowsOf()).toEqual([['a'], [1], [2]]);
  });
});

describe('rows that are changed', () => {
  const json: JsonObject[] = [
    { id: '2', Age: 41 },
    { id: 9, Name: 'Eve' },
  ];

  test('are found by the key; other cells and items are kept', async () => {
    expect(await run({ operation: 'update' }, { json })).toEqual(json);
    expect(rowsOf()?.slice(3)).toEqual([
      ['2', 'Bob', 41],
      [3, 'Ada', 9],
    ]);
  });

  test('are added if missing', async () => {
    await run({ operation: 'upsert', key: 'id' }, { json });
    expect(rowsOf()?.at(-1)).toEqual([9, 'Eve']);
  });

  test('are found by a column other than the first', async () => {
    const parameters = { operation: 'update', range: 'Other!B1:C', keyRow: 1, dataStartRow: 2, key: 'a.b' };
    await run(parameters, { json: [{ 'a.b': 1, id: 'z' }] });
    expect(rowsOf('Other')?.[2]).toEqual(['', 'z', 1]);
  });

  test('do not exist in an empty sheet, which gets no header; added rows create a header', async () => {
    server.sheets['People'] = [];
    const failing = run({ operation: 'update' }, { json });
    await expect(failing).rejects.toThrow('the range has no column "id" to find rows');
    expect(rowsOf()).toEqual([]);
    await run({ operation: 'upsert' }, { json });
    expect(rowsOf()).toEqual([['id', 'Age'], ['2', 41], [9]]);
  });

  test('are lists of each item', async () => {
    const parameters = { operation: 'update', range: 'People!B2', rawData: true };
    await run(parameters, { json: [{ data: [['Eve', 1], ['Zoe']] }] });
    expect(rowsOf()?.slice(1, 3)).toEqual([
      [1, 'Eve', 1],
      ['', 'Zoe', ''],
    ]);
  });
});

test.each<[JsonObject, string, JsonObject | undefined]>([
  [{ operation: 'clear', range: 'A2:B2' }, 'values/A2:B2:clear', undefined],
  [
    {
      operation: 'delete',
      toDelete: { rows: [{ sheetId: 'gid=1', startIndex: 2, amount: 3 }], columns: [{ sheetId: 0 }] },
    },
    ':batchUpdate',
    {
      requests: [
        { deleteDimension: { range: { sheetId: 1, dimension: 'ROWS', startIndex: 2, endIndex: 5 } } },
        { deleteDimension: { range: { sheetId: 0, dimension: 'COLUMNS', startIndex: 0, endIndex: 1 } } },
      ],
    },
  ],
  [{ operation: 'remove', id: '1' }, ':batchUpdate', { requests: [{ deleteSheet: { sheetId: 1 } }] }],
  [
    { operation: 'create', options: { title: 'New', tabColor: '#00ff00', gridProperties: { rowCount: 9 } } },
    ':batchUpdate',
    {
      requests: [
        {
          addSheet: { properties: { title: 'New', tabColor: { red: 0, green: 1, blue: 0 }, gridProperties: { rowCount: 9 } } },
        },
      ],
    },
  ],
  [{ resource: 'spreadsheet', title: 'T' }, '', { properties: { title: 'T' } }],
])('is one request: %j', async (parameters, path, body) => {
  await run(parameters, { json: [{ a: 1 }] });
  expect(sent()).toEqual([expect.stringMatching(new RegExp(`^POST /v4/spreadsheets(/doc1)?/?${path}$`))]);
  const text = server.received[0]?.body.toString() ?? '';
  expect(text === '' ? undefined : JSON.parse(text)).toEqual(body);
});

test.each<[JsonObject, string]>([
  [{ operation: 'lookup', lookupColumn: 'Gone' }, 'the range has no column "Gone" to search'],
  [{ operation: 'update', key: 'Gone' }, 'the range has no column "Gone" to find rows'],
  [{ operation: 'update', rawData: true }, 'the field "data" is not a list of rows'],
  [{ operation: 'remove', id: 'People' }, 'the sheet is not selected by its ID'],
  [
    { operation: 'delete', toDelete: { rows: [{ sheetId: 0, amount: 0 }] } },
    'the rows and columns to delete are not positive integers',
  ],
])('%j is refused', async (parameters, message) => {
  await expect(run(parameters, { json: [{ data: ['x'] }] })).rejects.toMatchObject({ message, itemIndex: 0 });
  expect(server.received.every(({ method }) => method === 'GET')).toBe(true);
});

test('version 1 uses a service account unless the author chose otherwise', async () => {
  await expect(run({}, { typeVersion: 1 })).rejects.toThrow('the credential has no access token');
  expect(await run({ authentication: 'oAuth2' }, { typeVersion: 1 })).toHaveLength(3);
});

test('sheets can be chosen', async () => {
  const parameters = { sheetId: 'doc1' };
  const context: MethodContext = webhookContext({ http: server.http, credentials, parameters, typeVersion: 2 });
  expect(await googleSheets.methods?.loadOptions?.['getSheets']?.(context)).toEqual([
    { name: 'People', value: '0' },
    { name: 'Other', value: '1' },
  ]);
});

test('large sheets and many items do not block the event loop', async () => {
  const numbers = Array.from({ length: 100_000 }, (_, index) => index);
  const body = Buffer.from(JSON.stringify({ values: [['id', 'n'], ...numbers.map((n) => [n, n])] }));
  const columns = Buffer.from(JSON.stringify({ valueRanges: [{ values: numbers.map((n) => [n]) }] }));
  const request = async ({ url }: { url: string }) => ({
    status: 200,
    statusText: 'OK',
    headers: {},
    url,
    body: url.includes(':batchGet') ? columns : body,
  });
  const http = { ...server.http, request };
  const json = numbers.map((id) => ({ id: id * 2, n: 1 }));
  const works = [
    () => run({ operation: 'lookup', lookupColumn: 'n', lookupValue: 5 }, { http, json }),
    () => run({ operation: 'upsert' }, { http, json }),
    () => run({ operation: 'append' }, { http, json }),
  ];
  for (const work of works) expect(await longestBusy(work)).toBeLessThan(250);
});
