import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { JsonObject } from '@sluice/node-sdk';
import { pollOnce } from '@sluice/node-sdk/testing';
import { baseCredentialTypes } from '@sluice/nodes-base/credentials';
import type { ApiServer } from '../../testing/api-server.ts';
import { example } from './google-calendar-trigger.example.ts';
import { googleCalendarTrigger } from './google-calendar-trigger.ts';
import { googleCalendarServer } from './testing/google-calendar-server.ts';

const route = 'GET /calendar/v3/calendars/:calendar/events';
/** Existing events, and their changes in order; a change has its event's current state. */
let events = new Map<string, JsonObject>();
let log: string[] = [];
let pageSize = 100;
let server: ApiServer;
beforeAll(async () => {
  server = await googleCalendarServer();
});
beforeEach(() => {
  events = new Map();
  log = [];
  pageSize = 100;
  save('e1', '2026-01-01T00:00:00.000Z');
  server.on(route, ({ query }) => {
    const [from, offset] = String(query['pageToken'] ?? `${query['syncToken'] ?? 0} 0`)
      .split(' ')
      .map(Number);
    const changed = log.slice(from);
    const start = offset ?? 0;
    const page = changed.slice(start, start + pageSize).filter((id, index) => changed.lastIndexOf(id) === start + index);
    const end = start + pageSize;
    const items = page
      .map((id) => events.get(id))
      .filter((event) => event?.['status'] !== 'cancelled' || query['syncToken'] || query['showDeleted']);
    return {
      json: { items, ...(end < changed.length ? { nextPageToken: `${from} ${end}` } : { nextSyncToken: String(log.length) }) },
    };
  });
});
afterEach(() => server.verify());
afterAll(() => server.close());

function save(id: string, updated: string, more: JsonObject = {}): void {
  events.set(id, { id, status: 'confirmed', summary: 'Lunch', created: updated, ...events.get(id), updated, ...more });
  log.push(id);
}

const credentials = { googleCalendarOAuth2Api: { oauthTokenData: { access_token: 'ya29' } } };
async function poll(cursor?: JsonObject, more: JsonObject = {}, mode: 'manual' | 'trigger' = 'trigger') {
  const { items, cursor: next = {} } = await pollOnce(googleCalendarTrigger, {
    parameters: { ...example.parameters, ...more },
    http: server.http,
    credentials,
    credentialTypes: baseCredentialTypes,
    mode,
    ...(cursor && { cursor }),
  });
  return { ids: items.map(({ json }) => json['id']), items: items.map(({ json }) => json), cursor: next };
}

const day = (number: number) => `2026-01-0${number}T00:00:00.000Z`;

describe('changes', () => {
  test('the first poll records what exists, and the next returns each new entry once', async () => {
    const initial = await poll();
    expect(initial.ids).toEqual([]);
    save('e2', day(2));
    const next = await poll(initial.cursor);
    expect(next.items).toEqual(example.outputs?.[0]);
    save('e2', day(3));
    expect((await poll(next.cursor)).ids).toEqual([]);
  });

  test('with the time of the latest known event, or out of order, are returned once', async () => {
    const initial = await poll();
    save('e3', day(3));
    save('e2', day(1));
    const next = await poll(initial.cursor);
    expect(next.ids).toEqual(['e3', 'e2']);
    save('e1', day(4));
    save('e4', day(2));
    expect((await poll(next.cursor)).ids).toEqual(['e4']);
  });

  test('that occur between pages, or are on several pages, are returned once', async () => {
    const initial = await poll();
    pageSize = 2;
    for (const id of ['e2', 'e3', 'e2', 'e4', 'e5', 'e3']) save(id, day(2));
    const next = await poll(initial.cursor);
    expect([...next.ids].sort()).toEqual(['e2', 'e3', 'e4', 'e5']);
    expect((await poll(next.cursor)).ids).toEqual([]);
  });

  test.each([
    ['eventUpdated', ['e1', 'e1_instance']],
    ['eventCancelled', ['e3']],
    ['eventCreated', ['e2']],
  ])('%s has its events', async (triggerOn, ids) => {
    const wanted = { triggerOn, options: {} };
    save('e3', day(1));
    const initial = await poll(undefined, wanted);
    save('e2', day(2));
    save('e1', day(2), { summary: 'Dinner' });
    save('e1_instance', day(2), { recurringEventId: 'e1' });
    save('e3', day(2), { status: 'cancelled' });
    expect((await poll(initial.cursor, wanted)).ids).toEqual(ids);
  });

  test('with an expired position are the changes after the latest known one', async () => {
    const wanted = { triggerOn: 'eventUpdated' };
    save('e2', day(2));
    const initial = await poll(undefined, wanted);
    save('e1', day(3));
    const cursor = { ...initial.cursor, syncToken: 'old' };
    server.on(route, ({ query }) =>
      query['syncToken'] === 'old'
        ? {
            status: 410,
            json: { error: { message: 'Sync token is no longer valid.', errors: [{ reason: 'fullSyncRequired' }] } },
          }
        : { json: { items: [...events.values()], nextSyncToken: 'new' } },
    );
    const next = await poll(cursor, wanted);
    expect([next.ids, next.cursor['syncToken']]).toEqual([['e1'], 'new']);
  });

  test('created events are remembered for a week', async () => {
    const initial = await poll();
    save('e2', day(2));
    const next = await poll(initial.cursor);
    save('e3', '2026-02-01T00:00:00.000Z');
    const last = await poll(next.cursor);
    expect(last.cursor['created']).toEqual([expect.any(String)]);
    save('e2', '2026-02-02T00:00:00.000Z');
    expect((await poll(last.cursor)).ids).toEqual([]);
  });

  test('without the text are ignored', async () => {
    const initial = await poll();
    save('e2', day(2), { summary: 'x', attendees: [{ email: 'LUNCH@example.com' }] });
    save('e3', day(2), { summary: 'x' });
    expect((await poll(initial.cursor)).ids).toEqual(['e2']);
  });
});

describe('events that are due', () => {
  const minutes = (count: number) => new Date(Date.now() + count * 60_000).toISOString();
  const has = (...items: JsonObject[]) =>
    server.on(route, ({ query }) => ({ json: query['fields'] === 'timeZone' ? { timeZone: 'Asia/Kolkata' } : { items } }));
  const from = (id: string, start: string, end: string): JsonObject => ({
    id,
    start: { dateTime: start },
    end: { dateTime: end },
    summary: 'lunch',
  });
  const lastPoll = () => ({ atMs: Date.now() - 60_000, known: [] });

  test.each([
    ['eventStarted', ['b']],
    ['eventEnded', ['a']],
  ])('%s has its events, once', async (triggerOn, ids) => {
    has(from('b', minutes(-0.5), minutes(30)), from('a', minutes(-60), minutes(-0.5)), from('c', minutes(5), minutes(9)));
    const next = await poll(lastPoll(), { triggerOn });
    expect(next.ids).toEqual(ids);
    expect((await poll(next.cursor, { triggerOn })).ids).toEqual([]);
  });

  test('with the same time, or added late, are returned once, earliest first', async () => {
    const started = { triggerOn: 'eventStarted' };
    const [at, before] = [minutes(-0.5), minutes(-1.5)];
    has(from('a', at, minutes(5)));
    const next = await poll(lastPoll(), started);
    has(from('b', at, minutes(5)), from('a', at, minutes(5)), from('late', before, minutes(5)));
    expect((await poll(next.cursor, started)).ids).toEqual(['late', 'b']);
  });

  test('an event that is moved starts an execution again', async () => {
    const started = { triggerOn: 'eventStarted' };
    has(from('a', minutes(-2), minutes(5)));
    const next = await poll(lastPoll(), started);
    has(from('a', minutes(-1), minutes(5)));
    expect([next.ids, (await poll(next.cursor, started)).ids]).toEqual([['a'], ['a']]);
  });

  test('whole days start at midnight in the time zone of the calendar', async () => {
    const midnight = Date.parse('2026-01-31T00:00:00+05:30');
    const today = new Date(Date.now() + 5.5 * 3_600_000).toISOString().slice(0, 10);
    has({ id: 'a', start: { date: today }, end: { date: today }, summary: 'lunch' });
    const sinceMidnight = (Date.now() - midnight) % (24 * 3_600_000);
    const cursor = (ms: number) => ({ atMs: Date.now() - sinceMidnight + ms, known: [] });
    const started = { triggerOn: 'eventStarted' };
    expect((await poll(cursor(-1_000), started)).ids).toEqual(['a']);
    expect((await poll({ ...cursor(0), atMs: Date.now() }, started)).ids).toEqual(sinceMidnight < 600_000 ? ['a'] : []);
  });

  test('the first poll only records existing events', async () => {
    has(from('a', minutes(-0.5), minutes(5)));
    const initial = await poll(undefined, { triggerOn: 'eventStarted' });
    expect([initial.ids, (await poll(initial.cursor, { triggerOn: 'eventStarted' })).ids]).toEqual([[], []]);
  });
});

test('a manual run returns the event that changed last', async () => {
  save('e2', day(2));
  save('e3', day(3), { status: 'cancelled' });
  expect((await poll(undefined, {}, 'manual')).ids).toEqual(['e2']);
});

test('a failed poll keeps the cursor', async () => {
  const initial = await poll();
  server.on(route, () => ({ status: 403, json: { error: { message: 'no', errors: [{ reason: 'forbidden' }] } } }));
  await expect(poll(initial.cursor)).rejects.toThrow('Google Calendar: no (forbidden)');
});
