import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { JsonObject } from '@sluice/node-sdk';
import { pollOnce } from '@sluice/node-sdk/testing';
import { baseCredentialTypes } from '@sluice/nodes-base/credentials';
import { example } from './google-sheets-trigger.example.ts';
import { googleSheetsTrigger } from './google-sheets-trigger.ts';
import { rowChanges } from './row-changes.ts';
import { googleSheetsServer, type SheetsServer } from './testing/google-sheets-server.ts';

let server: SheetsServer;
beforeAll(async () => {
  server = await googleSheetsServer();
});
const header = ['Name', 'Age'];
beforeEach(() => has(['Ada', 36]));
afterEach(() => server.verify());
afterAll(() => server.close());

const has = (...rows: (string | number)[][]) => {
  server.sheets = { People: [header, ...rows] };
};
const credentials = { googleSheetsTriggerOAuth2Api: { oauthTokenData: { access_token: 'ya29' } } };
async function poll(
  cursor?: JsonObject,
  more: JsonObject = {},
  mode: 'manual' | 'trigger' = 'trigger',
  stored: Record<string, JsonObject> = credentials,
) {
  const { items, cursor: next = {} } = await pollOnce(googleSheetsTrigger, {
    parameters: { ...example.parameters, ...more },
    http: server.http,
    credentials: stored,
    credentialTypes: baseCredentialTypes,
    mode,
    ...(cursor && { cursor }),
  });
  return { rows: items.map(({ json }) => json), cursor: next };
}

test('the first poll records what exists, and the next returns each new entry once', async () => {
  const initial = await poll();
  expect(initial.rows).toEqual([]);
  has(['Ada', 36], ['Bob', 40]);
  const next = await poll(initial.cursor);
  expect(next.rows).toEqual(example.outputs?.[0]);
  expect((await poll(next.cursor)).rows).toEqual([]);
});

describe.each<[string, string[], string[], string[]]>([
  ['equal rows', ['a', 'a'], ['a', 'a', 'a'], ['added 2']],
  ['an inserted row', ['a', 'b'], ['a', 'x', 'b'], ['added 1']],
  ['a deleted row', ['a', 'b', 'c'], ['a', 'c'], []],
  ['a sorted sheet', ['a', 'b', 'c', 'd'], ['d', 'c', 'b', 'a'], []],
  ['a changed row', ['a', 'b', 'c'], ['a', 'x', 'c'], ['updated 1']],
  ['a deleted and an added row', ['a', 'b', 'c'], ['a', 'c', 'x'], ['added 2']],
  ['a row above, and a changed row below', ['a', 'b', 'c'], ['x', 'a', 'b', 'y'], ['added 0', 'updated 3']],
  ['a moved, a changed, and an added row', ['a', 'b', 'c', 'd'], ['d', 'a', 'x', 'c', 'y'], ['updated 2', 'added 4']],
  ['all rows gone', ['a', 'b'], [], []],
  ['an empty sheet', [], ['a', 'b'], ['added 0', 'added 1']],
])('%s', (_, before, after, changes) => {
  test('has its changes', async () => {
    const records = await rowChanges(before, after);
    expect(records.map(({ kind, index }) => `${kind} ${index}`)).toEqual(changes);
  });
});

test.each<[string, JsonObject[]]>([
  [
    'anyUpdate',
    [
      { row_number: 2, change_type: 'updated', Name: 'Ada', Age: 37 },
      { row_number: 4, change_type: 'added', Name: 'Bob', Age: '' },
    ],
  ],
  ['rowUpdate', [{ row_number: 2, change_type: 'updated', Name: 'Ada', Age: 37 }]],
  ['rowAdded', [{ row_number: 4, Name: 'Bob', Age: '' }]],
])('%s has its rows', async (event, rows) => {
  has(['Ada', 36], ['Eve', 9]);
  const initial = await poll(undefined, { event });
  has(['Ada', 37], ['Eve', 9], ['Bob']);
  expect((await poll(initial.cursor, { event })).rows).toEqual(rows);
});

test('changes of other columns, and a new column, are ignored', async () => {
  const watched = { event: 'anyUpdate', options: { columnsToWatch: ['Name'] } };
  const initial = await poll(undefined, watched);
  has(['Ada', 40]);
  expect((await poll(initial.cursor, watched)).rows).toEqual([]);
  const all = await poll(undefined, { event: 'anyUpdate' });
  server.sheets = {
    People: [
      [...header, 'City'],
      ['Ada', 40],
    ],
  };
  expect((await poll(all.cursor, { event: 'anyUpdate' })).rows).toEqual([]);
});

test('the options set the range and the value format', async () => {
  const dataLocationOnSheet = { values: { rangeDefinition: 'specifyRangeA1', range: 'A2:B9' } };
  const options = { dataLocationOnSheet, valueRender: 'FORMULA', dateTimeRenderOption: 'FORMATTED_STRING' };
  await poll(undefined, { options });
  const { pathname, searchParams } = new URL(server.received.at(-1)?.url ?? '', server.origin);
  expect(decodeURIComponent(pathname)).toMatch(/'People'!A2:B9$/);
  expect([searchParams.get('valueRenderOption'), searchParams.get('dateTimeRenderOption')]).toEqual([
    'FORMULA',
    'FORMATTED_STRING',
  ]);
});

test('a manual run returns the last row', async () => {
  has(['Ada', 36], ['Bob', 40]);
  expect((await poll(undefined, {}, 'manual')).rows).toEqual(example.outputs?.[0]);
});

test('a service account can read the sheet', async () => {
  has(['Ada', 36], ['Bob', 40]);
  const googleApi = { oauthTokenData: { access_token: 'ya29', expires_in: 3600 } };
  const { rows } = await poll(undefined, { authentication: 'serviceAccount' }, 'manual', { googleApi });
  expect(rows).toEqual(example.outputs?.[0]);
  const credentialTypes = googleSheetsTrigger.description.credentials?.map(({ name, displayOptions }) => [
    name,
    displayOptions?.show,
  ]);
  expect(credentialTypes).toEqual([
    ['googleSheetsTriggerOAuth2Api', { authentication: ['triggerOAuth2'] }],
    ['googleApi', { authentication: ['serviceAccount'] }],
  ]);
});

test('old rows are rejected', async () => {
  const message = 'the output of old rows is not supported yet';
  await expect(poll(undefined, { event: 'anyUpdate', includeInOutput: 'both' })).rejects.toMatchObject({ message });
});
