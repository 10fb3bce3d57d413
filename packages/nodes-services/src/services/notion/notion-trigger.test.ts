import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import type { JsonObject } from '@sluice/node-sdk';
import { pollOnce } from '@sluice/node-sdk/testing';
import { baseCredentialTypes } from '@sluice/nodes-base/credentials';
import type { ApiServer } from '../../testing/api-server.ts';
import { example } from './notion-trigger.example.ts';
import { notionTrigger } from './notion-trigger.ts';
import { databaseId, entry, notionServer } from './testing/notion-server.ts';

let server: ApiServer;
beforeAll(async () => {
  server = await notionServer();
});
afterEach(() => server.verify());
afterAll(() => server.close());

const query = 'POST /v1/databases/:id/query';
const at = (id: string, minute: string): JsonObject => {
  const time = `2026-01-01T${minute}:00.000Z`;
  return { ...entry, id, created_time: time, last_edited_time: time };
};

/** The database contains these pages at this time by Notion's clock. */
function has(clock: string, ...pages: JsonObject[]) {
  const date = new Date(`2026-01-01T${clock}Z`).toUTCString();
  server.on(query, ({ body }) => {
    const { filter } = body as { filter?: { timestamp: string; [field: string]: unknown } };
    const since = filter ? (filter[filter.timestamp] as { on_or_after: string }).on_or_after : '';
    const matches = pages.filter((page) => !filter || String(page[filter.timestamp]) >= since);
    return { headers: { date }, json: { results: matches, has_more: false, next_cursor: null } };
  });
}

async function poll(event: string, cursor?: JsonObject, mode: 'manual' | 'trigger' = 'trigger', more: JsonObject = {}) {
  const { items, cursor: next } = await pollOnce(notionTrigger, {
    parameters: { ...example.parameters, event, ...more },
    http: server.http,
    credentials: { notionApi: { apiKey: 'secret1' } },
    credentialTypes: baseCredentialTypes,
    mode,
    ...(cursor && { cursor }),
  });
  return { ids: items.map(({ json }) => json['id']), items, cursor: next };
}

describe('a new page', () => {
  const event = 'pageAddedToDatabase';

  test('starts an execution immediately, and only once', async () => {
    has('10:05:10', at('p1', '10:05'));
    const initial = await poll(event);
    expect(initial.ids).toEqual([]);
    has('10:05:50', at('p1', '10:05'), at('p2', '10:05'));
    const next = await poll(event, initial.cursor);
    expect(next.ids).toEqual(['p2']);
    has('10:07:30', at('p1', '10:05'), at('p2', '10:05'), at('p3', '10:05'), at('p4', '10:07'));
    const later = await poll(event, next.cursor);
    expect(later.ids).toEqual(['p3', 'p4']);
    has('10:30:00', at('p1', '10:05'), at('p2', '10:05'), at('p3', '10:05'), at('p4', '10:07'));
    const last = await poll(event, later.cursor);
    expect([last.ids, last.cursor]).toEqual([[], { at: Date.parse('2026-01-01T10:27:00Z'), ids: {} }]);
    expect((await poll(event, last.cursor)).ids).toEqual([]);
  });

  test('is requested by its creation time', async () => {
    has('10:05:10');
    await poll(event, { at: Date.parse('2026-01-01T10:00:00Z'), ids: {} });
    expect(server.received.map(({ url, body }) => [url, JSON.parse(body.toString())])).toEqual([
      [
        `/v1/databases/${databaseId}/query`,
        {
          filter: { timestamp: 'created_time', created_time: { on_or_after: '2026-01-01T10:00:00.000Z' } },
          sorts: [{ timestamp: 'created_time', direction: 'ascending' }],
          page_size: 100,
        },
      ],
    ]);
  });

  test('can be simplified', async () => {
    has('10:05:10', at('p1', '10:05'));
    const { items } = await poll(event, { at: Date.parse('2026-01-01T10:00:00Z'), ids: {} }, 'trigger', { simple: true });
    expect(items[0]?.json).toMatchObject({ id: 'p1', name: 'Plan', property_status: 'Done' });
  });
});

describe('a changed page', () => {
  const event = 'pagedUpdatedInDatabase';
  const start = { at: Date.parse('2026-01-01T10:00:00Z'), ids: {} };

  test('starts an execution when its minute is over, and only once', async () => {
    has('10:05:30', at('p1', '10:05'));
    const initial = await poll(event, start);
    expect(initial.ids).toEqual([]);
    has('10:06:20', at('p1', '10:05'));
    const due = await poll(event, initial.cursor);
    expect(due.ids).toEqual(['p1']);
    has('10:07:20', at('p1', '10:05'));
    expect((await poll(event, due.cursor)).ids).toEqual([]);
  });

  test('starts an execution for each minute in which it changes, even if it changes constantly', async () => {
    has('10:05:30', at('p1', '10:05'));
    const first = await poll(event, start);
    has('10:06:10', at('p1', '10:06'));
    const second = await poll(event, first.cursor);
    has('10:06:50', at('p1', '10:06'));
    const third = await poll(event, second.cursor);
    has('10:07:20', at('p1', '10:06'));
    const fourth = await poll(event, third.cursor);
    expect([first.ids, second.ids, third.ids, fourth.ids]).toEqual([[], ['p1'], [], ['p1']]);
  });

  test('is not an event if its minute was over before the first poll', async () => {
    has('10:09:00', at('p1', '10:05'));
    const initial = await poll(event);
    expect((await poll(event, initial.cursor)).ids).toEqual([]);
  });
});

test('a list that exceeds the size limit of a node is returned in batches of whole minutes', async () => {
  const text = 'x'.repeat(12_000_000);
  const pages = ['01', '02', '03', '03', '04', '05'].map(
    (minute, n) => ({ ...at(`p${n}`, `10:${minute}`), text }) as JsonObject,
  );
  server.on(query, ({ body }) => {
    const { filter, start_cursor: cursor = '0' } = body as { filter: JsonObject; start_cursor?: string };
    const since = String((filter['created_time'] as JsonObject)['on_or_after']);
    const matches = pages.filter((page) => String(page['created_time']) >= since);
    const next = Number(cursor) + 1;
    return {
      headers: { date: new Date('2026-01-01T11:00:00Z').toUTCString() },
      json: { results: matches.slice(next - 1, next), has_more: next < matches.length, next_cursor: String(next) },
    };
  });
  let cursor: JsonObject | undefined = { at: Date.parse('2026-01-01T10:00:00Z'), ids: {} };
  const polls: unknown[] = [];
  for (let count = 0; count < 4; count++) {
    const next = await poll('pageAddedToDatabase', cursor);
    polls.push(next.ids);
    cursor = next.cursor;
  }
  expect(polls).toEqual([['p0', 'p1', 'p2'], ['p3', 'p4'], ['p5'], []]);
});

test('a page that a batch does not reach remains known', async () => {
  const large = { ...at('p1', '10:02'), text: 'x'.repeat(40_000_000) } as JsonObject;
  const pages = [large, at('p2', '10:03')];
  server.on(query, ({ body }) => {
    const { start_cursor: cursor = '0' } = body as { start_cursor?: string };
    const next = Number(cursor) + 1;
    return {
      headers: { date: new Date('2026-01-01T10:05:00Z').toUTCString() },
      json: { results: pages.slice(next - 1, next), has_more: next < pages.length, next_cursor: String(next) },
    };
  });
  let cursor: JsonObject | undefined = {
    at: Date.parse('2026-01-01T10:00:00Z'),
    ids: { p2: Date.parse('2026-01-01T10:03:00Z') },
  };
  const polls: unknown[] = [];
  for (let count = 0; count < 3; count++) {
    const next = await poll('pageAddedToDatabase', cursor);
    polls.push(next.ids);
    cursor = next.cursor;
  }
  expect(polls).toEqual([['p1'], [], []]);
});

test('a page that changes while pages are read starts one execution', async () => {
  server.on(query, ({ body }) => ({
    headers: { date: new Date('2026-01-01T11:00:00Z').toUTCString() },
    json:
      (body as JsonObject)['start_cursor'] === 'c2'
        ? { results: [at('p1', '10:10')], has_more: false, next_cursor: null }
        : { results: [at('p1', '10:05'), at('p2', '10:06')], has_more: true, next_cursor: 'c2' },
  }));
  const { ids } = await poll('pagedUpdatedInDatabase', { at: 0, ids: {} });
  expect(ids).toEqual(['p1', 'p2']);
});

test('a manual run returns the latest page', async () => {
  has('10:05:10', at('p1', '10:05'));
  expect((await poll('pageAddedToDatabase', undefined, 'manual')).ids).toEqual(['p1']);
});

test('a failed poll keeps the cursor', async () => {
  server.on(query, () => ({ status: 401, json: { code: 'unauthorized', message: 'API token is invalid.' } }));
  await expect(poll('pageAddedToDatabase', { at: 1, ids: {} })).rejects.toThrow('Notion: API token is invalid. (unauthorized)');
});
