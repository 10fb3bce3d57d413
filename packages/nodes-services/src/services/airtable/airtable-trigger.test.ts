import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import type { JsonObject } from '@sluice/node-sdk';
import { pollOnce } from '@sluice/node-sdk/testing';
import { baseCredentialTypes } from '@sluice/nodes-base/credentials';
import type { ApiServer } from '../../testing/api-server.ts';
import { example } from './airtable-trigger.example.ts';
import { airtableTrigger } from './airtable-trigger.ts';
import { airtableServer } from './testing/airtable-server.ts';

let server: ApiServer;
beforeAll(async () => {
  server = await airtableServer();
});
afterEach(() => server.verify());
afterAll(() => server.close());

const credentials = { airtableTokenApi: { accessToken: 'pat1' } };
const at = (id: string, Created: string) => ({ id, createdTime: Created, fields: { Name: id, Created } });
const first = at('rec1', '2026-01-01T00:00:00.000Z');

/** The server returns these records, latest first, whatever the formula. */
function has(...records: JsonObject[]) {
  server.on('GET /v0/:base/:table', ({ query }) => ({
    json: { records: query['pageSize'] === '1' ? records.slice(0, 1) : records },
  }));
}

async function poll(cursor?: JsonObject, mode: 'manual' | 'trigger' = 'trigger', more: JsonObject = {}) {
  const parameters = { ...example.parameters, ...more };
  const polled = {
    parameters,
    http: server.http,
    credentials,
    credentialTypes: baseCredentialTypes,
    mode,
    ...(cursor && { cursor }),
  };
  const { items, cursor: next } = await pollOnce(airtableTrigger, polled);
  return { ids: items.map(({ json }) => json['id']), records: items.map(({ json }) => json), cursor: next };
}

test('the first poll records what exists, and the next returns each new entry once', async () => {
  has(first);
  const initial = await poll();
  expect(initial.ids).toEqual([]);
  const second = {
    id: 'rec2',
    createdTime: '2026-01-02T00:00:00.000Z',
    fields: { Name: 'Bob', Created: '2026-01-02T00:00:00.000Z' },
  };
  has(second, first);
  const next = await poll(initial.cursor);
  expect(next.records).toEqual(example.outputs?.[0]);
  expect((await poll(next.cursor)).ids).toEqual([]);
});

test('a record with the same timestamp as the last known record is returned, and each such record only once', async () => {
  has(first);
  const initial = await poll();
  has(first, at('rec2', '2026-01-01T00:00:00.000Z'));
  const next = await poll(initial.cursor);
  expect(next.ids).toEqual(['rec2']);
  has(first, at('rec2', '2026-01-01T00:00:00.000Z'), at('rec3', '2026-01-01T00:00:00.000Z'));
  expect((await poll(next.cursor)).ids).toEqual(['rec3']);
});

test('a changed record is returned again, and changed records are in the order of their changes', async () => {
  has(first);
  const initial = await poll();
  has(at('rec1', '2026-01-03T00:00:00.000Z'), at('rec2', '2026-01-02T00:00:00.000Z'));
  expect((await poll(initial.cursor)).ids).toEqual(['rec2', 'rec1']);
});

test('all records in a previously empty table are new', async () => {
  has();
  const initial = await poll();
  has(first);
  expect((await poll(initial.cursor)).ids).toEqual(['rec1']);
});

test('requests only later records, with the author’s formula', async () => {
  has(first);
  await poll({ at: Date.parse('2026-01-01T00:00:00.000Z'), ids: [] }, 'trigger', {
    triggerField: 'Last}Edit',
    additionalFields: { formula: '{A}=1', fields: 'Name', viewId: 'viw1' },
  });
  const { searchParams } = new URL(server.received[0]?.url ?? '', server.origin);
  expect(searchParams.get('filterByFormula')).toBe(
    "AND({Last\\}Edit}!=BLANK(),NOT(IS_BEFORE({Last\\}Edit},DATETIME_PARSE('2026-01-01T00:00:00.000Z'))),{A}=1)",
  );
  expect([searchParams.getAll('fields[]'), searchParams.get('view')]).toEqual([['Name', 'Last}Edit'], 'viw1']);
});

test('a list that exceeds the size limit of a node is returned in batches, in timestamp order', async () => {
  const text = 'x'.repeat(12_000_000);
  const records = [1, 2, 3, 4, 5, 6].map((n) => at(`rec${n}`, `2026-01-01T00:00:0${Math.ceil(n / 2)}.000Z`));
  server.on('GET /v0/:base/:table', ({ query }) => {
    const since = /DATETIME_PARSE\('(.*)'\)/.exec(String(query['filterByFormula']))?.[1] ?? '';
    const matches = records.filter(({ fields }) => fields.Created >= since);
    const from = Number(query['offset'] ?? 0);
    const [{ fields, ...rest } = first] = matches.slice(from);
    const offset = from + 1 < matches.length ? { offset: String(from + 1) } : {};
    return { json: { records: [{ ...rest, fields: { ...fields, text } }], ...offset } };
  });
  let cursor: JsonObject | undefined = { at: Date.parse('2026-01-01T00:00:00.000Z'), ids: [] };
  const polls: unknown[] = [];
  for (let count = 0; count < 3; count++) {
    const next = await poll(cursor);
    polls.push(next.ids);
    cursor = next.cursor;
  }
  expect(polls).toEqual([['rec1', 'rec2', 'rec3'], ['rec4', 'rec5'], ['rec6']]);
  const query = new URL(server.received[0]?.url ?? '', server.origin).searchParams;
  expect([query.get('sort[0][field]'), query.get('sort[0][direction]')]).toEqual(['Created', 'asc']);
});

test('a batch of records with the same timestamp makes no record new again', async () => {
  const text = 'x'.repeat(40_000_000);
  const instant = '2026-01-01T00:00:00.000Z';
  const large = { ...at('rec2', instant), fields: { Created: instant, text } };
  server.on('GET /v0/:base/:table', ({ query }) => ({
    json: query['offset'] ? { records: [first] } : { records: [large], offset: '1' },
  }));
  const next = await poll({ at: Date.parse(instant), ids: ['rec1'] });
  expect(next.ids).toEqual(['rec2']);
  expect((await poll(next.cursor)).ids).toEqual([]);
});

test('a manual run returns the latest record', async () => {
  has(at('rec2', '2026-01-02T00:00:00.000Z'), first);
  expect((await poll(undefined, 'manual')).ids).toEqual(['rec2']);
});

test('a failed poll keeps the cursor', async () => {
  server.on('GET /v0/:base/:table', () => ({
    status: 401,
    json: { error: { type: 'AUTHENTICATION_REQUIRED', message: 'no' } },
  }));
  await expect(poll({ at: 1, ids: [] })).rejects.toThrow('Airtable: no (AUTHENTICATION_REQUIRED)');
});

test.each<JsonObject>([{ downloadAttachments: true }, { additionalFields: { downloadFields: 'Files' } }])(
  'attachments are not downloaded, and a node that requests them has a hint: %j',
  async (parameters) => {
    await expect(poll(undefined, 'trigger', parameters)).rejects.toMatchObject({ code: 'NOT_SUPPORTED' });
  },
);
