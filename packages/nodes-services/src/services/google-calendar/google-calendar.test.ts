import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import type { JsonObject, JsonValue, MethodContext } from '@sluice/node-sdk';
import { type FakeRun, runForJson } from '@sluice/nodes-base/testing';
import type { ApiServer } from '../../testing/api-server.ts';
import { webhookContext } from '../../testing/webhook-context.ts';
import { example } from './google-calendar.example.ts';
import { googleCalendar } from './google-calendar.ts';
import { googleCalendarServer } from './testing/google-calendar-server.ts';

let server: ApiServer;
beforeAll(async () => {
  server = await googleCalendarServer();
});
afterEach(() => server.verify());
afterAll(() => server.close());

const credentials = { googleCalendarOAuth2Api: { oauthTokenData: { access_token: 'ya29' } } };
const run = (parameters: JsonObject, more: FakeRun = {}) =>
  runForJson(googleCalendar, {
    parameters: { calendar: 'cal', ...parameters },
    typeVersion: 1.3,
    http: server.http,
    credentials,
    timezone: 'Europe/Berlin',
    ...more,
  });
const sent = () => server.received.map(({ method, url }) => `${method} ${decodeURIComponent(url).replace('/calendar/v3', '')}`);
const bodyOf = (index = -1) => JSON.parse(server.received.at(index)?.body.toString() || 'null') as JsonObject;
const queryOf = () => new URL(server.received[0]?.url ?? '', server.origin).searchParams;
const times = { start: '2026-01-31 10:00', end: '2026-01-31T11:00:00+01:00' };

test('the example', async () => {
  expect(await run(example.parameters, { timezone: 'UTC' })).toEqual(example.outputs?.[0]);
  expect(sent()).toEqual(['POST /calendars/primary/events?sendUpdates=all']);
});

describe('an event', () => {
  test('has times in the time zone of the workflow', async () => {
    await run(times);
    expect(bodyOf()).toEqual({
      start: { dateTime: '2026-01-31T09:00:00.000Z', timeZone: 'Europe/Berlin' },
      end: { dateTime: '2026-01-31T10:00:00.000Z', timeZone: 'Europe/Berlin' },
    });
  });

  test('takes an hour by default', async () => {
    await run({});
    const [start, end] = ['start', 'end'].map((name) => Date.parse(String((bodyOf()[name] as JsonObject)['dateTime'])));
    expect((end ?? 0) - (start ?? 0)).toBe(3_600_000);
  });

  test('has dates if it takes whole days', async () => {
    await run({ start: '2026-01-31T00:00:00+01:00', end: 1_769_990_400_000, additionalFields: { allday: 'yes' } });
    expect(bodyOf()).toEqual({ start: { date: '2026-01-31' }, end: { date: '2026-02-02' } });
  });

  test('has all its fields', async () => {
    const additionalFields = {
      attendees: 'a@x, b@x',
      color: '3',
      conferenceDataUi: { conferenceDataValues: { conferenceSolution: 'hangoutsMeet' } },
      description: 'd',
      guestsCanInviteOthers: false,
      guestsCanModify: true,
      guestsCanSeeOtherGuests: false,
      id: 'event1',
      location: 'l',
      maxAttendees: 5,
      repeatFrecuency: 'weekly',
      repeatHowManyTimes: 3,
      showMeAs: 'transparent',
      timezone: 'UTC',
      visibility: 'private',
    };
    const remindersUi = { remindersValues: [{ method: 'popup', minutes: 10 }] };
    await run({ ...times, additionalFields, useDefaultReminders: false, remindersUi });
    expect(sent()).toEqual(['POST /calendars/cal/events?conferenceDataVersion=1&maxAttendees=5']);
    expect(bodyOf()).toMatchObject({
      start: { timeZone: 'UTC' },
      description: 'd',
      location: 'l',
      id: 'event1',
      colorId: '3',
      visibility: 'private',
      transparency: 'transparent',
      recurrence: ['RRULE:FREQ=WEEKLY;COUNT=3'],
      conferenceData: { createRequest: { conferenceSolutionKey: { type: 'hangoutsMeet' } } },
      guestsCanInviteOthers: false,
      guestsCanModify: true,
      guestsCanSeeOtherGuests: false,
      attendees: [{ email: 'a@x' }, { email: 'b@x' }],
      reminders: { useDefault: false, overrides: [{ method: 'popup', minutes: 10 }] },
    });
  });

  test.each<[JsonObject, string]>([
    [{ rrule: 'FREQ=DAILY' }, 'RRULE:FREQ=DAILY'],
    [{ repeatFrecuency: 'Daily', repeatUntil: '2026-02-28T00:00:00Z' }, 'RRULE:FREQ=DAILY;UNTIL=20260228T000000Z'],
  ])('is repeated: %j', async (additionalFields, rule) => {
    await run({ ...times, additionalFields });
    expect(bodyOf()['recurrence']).toEqual([rule]);
  });

  test('is deleted', async () => {
    expect(await run({ operation: 'delete', eventId: 'e/1', options: { sendUpdates: 'none' } })).toEqual([{ success: true }]);
    expect(sent()).toEqual(['DELETE /calendars/cal/events/e/1?sendUpdates=none']);
  });

  test('is read, or its next instance', async () => {
    const options = { maxAttendees: 2, timeZone: { __rl: true, mode: 'list', value: 'UTC' } };
    expect(await run({ operation: 'get', eventId: 'e1', options })).toMatchObject([{ id: 'e1' }]);
    expect(sent()).toEqual(['GET /calendars/cal/events/e1?maxAttendees=2&timeZone=UTC']);
    const next = (eventId: string) => run({ operation: 'get', eventId, options: { returnNextInstance: true } });
    expect([await next('e1'), await next('ended')]).toMatchObject([[{ id: 'e1_20260131' }], [{ id: 'ended' }]]);
  });

  test('is changed', async () => {
    const updateFields = { start: '2026-01-31T12:00:00Z', summary: 's', sendUpdates: 'all' };
    await run({ operation: 'update', eventId: 'e1', updateFields });
    expect(sent()).toEqual(['PATCH /calendars/cal/events/e1?sendUpdates=all']);
    const start = { dateTime: '2026-01-31T12:00:00.000Z', timeZone: 'Europe/Berlin', date: null };
    expect(bodyOf()).toEqual({ start, summary: 's' });
  });

  test('becomes an all-day event: its times are removed, because Google would reject the dates otherwise', async () => {
    const updateFields = { allday: 'yes', start: '2026-01-31', end: '2026-02-01' };
    await run({ operation: 'update', eventId: 'e1', updateFields });
    const day = (date: string) => ({ date, dateTime: null, timeZone: null });
    expect(bodyOf()).toEqual({ start: day('2026-01-31'), end: day('2026-02-01') });
  });

  test('is changed with all its recurrences', async () => {
    await run({ operation: 'update', eventId: 'e1_20260131', modifyTarget: 'event', updateFields: { summary: 's' } });
    expect(sent().at(-1)).toBe('PATCH /calendars/cal/events/e1');
  });

  test.each<[number, JsonObject, string[]]>([
    [1.1, { attendees: ['b@x'] }, ['b@x']],
    [1.2, { attendeesUi: { values: { mode: 'replace', attendees: ['b@x'] } } }, ['b@x']],
    [1.3, { attendeesUi: { values: { attendees: ['ADA@example.com', 'b@x'] } } }, ['ada@example.com', 'b@x']],
  ])('gets guests in version %d: %j', async (typeVersion, updateFields, emails) => {
    await run({ operation: 'update', eventId: 'e1', updateFields }, { typeVersion });
    expect((bodyOf()['attendees'] as JsonObject[]).map(({ email }) => email)).toEqual(emails);
  });
});

describe('a list of events', () => {
  test('has all pages, of a week by default', async () => {
    expect(await run({ operation: 'getAll', returnAll: true })).toMatchObject([{ id: 'e1' }, { id: 'e2' }]);
    const query = queryOf();
    expect(Date.parse(query.get('timeMax') ?? '') - Date.parse(query.get('timeMin') ?? '')).toBe(7 * 24 * 3_600_000);
    expect([query.get('singleEvents'), query.get('maxResults')]).toEqual(['true', '2500']);
  });

  test('has the filters of the options', async () => {
    const options = {
      fields: 'items(id)',
      iCalUID: 'i',
      orderBy: 'startTime',
      query: 'lunch',
      recurringEventHandling: 'first',
      showDeleted: true,
      showHiddenInvitations: true,
      timeZone: 'UTC',
      updatedMin: '2026-01-01T00:00:00Z',
    };
    await run({ operation: 'getAll', limit: 1, timeMin: '', timeMax: '2026-02-01T00:00:00Z', options });
    expect(Object.fromEntries(queryOf())).toEqual({
      timeMax: '2026-02-01T00:00:00.000Z',
      updatedMin: '2026-01-01T00:00:00.000Z',
      fields: 'nextPageToken,items(id)',
      iCalUID: 'i',
      orderBy: 'startTime',
      q: 'lunch',
      showDeleted: 'true',
      showHiddenInvitations: 'true',
      timeZone: 'UTC',
      maxResults: '1',
    });
  });

  test('has the next instances of recurring events', async () => {
    const options = { recurringEventHandling: 'next' };
    expect(await run({ operation: 'getAll', options })).toEqual([{ id: 'e1_20260131' }, { id: 'e2' }]);
  });

  test('in an older version has its times and single events in the options', async () => {
    const options = { timeMin: '2026-01-01T00:00:00Z', singleEvents: true };
    await run({ operation: 'getAll', limit: 1, options }, { typeVersion: 1 });
    expect(Object.fromEntries(queryOf())).toEqual({
      timeMin: '2026-01-01T00:00:00.000Z',
      singleEvents: 'true',
      maxResults: '1',
    });
  });
});

test.each<[JsonObject, JsonObject[]]>([
  [{ calendar: 'free' }, [{ available: true }]],
  [{ calendar: 'busy' }, [{ available: false }]],
  [
    { calendar: 'busy', options: { outputFormat: 'bookedSlots', timezone: 'UTC' } },
    [{ start: '2026-01-31T10:00:00Z', end: '2026-01-31T11:00:00Z' }],
  ],
  [{ calendar: 'free', options: { outputFormat: 'raw' } }, [{ calendars: { free: { busy: [] } } }]],
])('%j is free or not', async (parameters, items) => {
  const period = { timeMin: '2026-01-31T10:00:00Z', timeMax: '2026-01-31T12:00:00Z' };
  expect(await run({ resource: 'calendar', operation: 'availability', ...period, ...parameters })).toEqual(items);
});

test('a calendar can be selected by URL', async () => {
  const value = `https://calendar.google.com/calendar/u/0?cid=${Buffer.from('team@example.com').toString('base64')}`;
  await run({ operation: 'delete', eventId: 'e1', calendar: { __rl: true, mode: 'url', value } });
  expect(sent()).toEqual(['DELETE /calendars/team@example.com/events/e1']);
});

test.each<[JsonObject, string]>([
  [{ start: 'soon' }, 'the parameter "start" is not a date'],
  [
    { ...times, additionalFields: { repeatFrecuency: 'Daily', repeatHowManyTimes: 2, repeatUntil: '2026-02-01' } },
    'an event repeats a number of times, or until a time',
  ],
  [{ operation: 'get', eventId: '' }, 'the parameter "eventId" is required'],
])('%j is refused before a request', async (parameters, message) => {
  await expect(run(parameters)).rejects.toMatchObject({ message, itemIndex: 0 });
  expect(server.received).toEqual([]);
});

test('a hidden calendar is an error; a failed item does not affect the others', async () => {
  const parameters = (index: number) => ({ resource: 'calendar', calendar: index === 0 ? 'hidden' : 'free' });
  const output = await runForJson(googleCalendar, {
    parameters,
    typeVersion: 1.3,
    http: server.http,
    credentials,
    json: [{}, {}],
    continueOnFail: true,
  });
  expect(output).toEqual([{ error: 'Google Calendar cannot read the calendar: notFound' }, { available: true }]);
});

test('a calendar that is missing from the response is an error', async () => {
  server.on('POST /calendar/v3/freeBusy', () => ({ json: { calendars: {} } }));
  for (const calendar of ['missing', '__proto__'])
    await expect(run({ resource: 'calendar', calendar })).rejects.toMatchObject({
      message: 'Google Calendar cannot read the calendar: unknown',
    });
});

test('a request over the quota is retried', async () => {
  server.on('DELETE /calendar/v3/calendars/:calendar/events/:id', ({ count }) =>
    count === 1
      ? {
          status: 403,
          headers: { 'retry-after': '0' },
          json: { error: { errors: [{ reason: 'rateLimitExceeded' }], message: 'Quota' } },
        }
      : { status: 204 },
  );
  expect(await run({ operation: 'delete', eventId: 'e1' })).toEqual([{ success: true }]);
});

test.each<[string, JsonValue, string]>([
  [
    'its URL',
    { mode: 'url', value: `https://x.example/?cid=${Buffer.from('a@b.example').toString('base64')}` },
    'a%40b.example',
  ],
  ['its ID', 'a@b.example', 'a%40b.example'],
  ['nothing yet', '', 'primary'],
])('the conferences of a calendar that is named by %s can be chosen', async (_, calendar, id) => {
  const context: MethodContext = webhookContext({ http: server.http, credentials, parameters: { calendar } });
  await googleCalendar.methods?.loadOptions?.['getConferenceSolutions']?.(context);
  expect(server.received[0]?.url).toBe(`/calendar/v3/users/me/calendarList/${id}`);
});

test('calendars, time zones, colors, and conferences can be chosen', async () => {
  const context: MethodContext = webhookContext({ http: server.http, credentials, parameters: { calendar: { value: 'cal' } } });
  const { listSearch = {}, loadOptions = {} } = googleCalendar.methods ?? {};
  expect(await listSearch['getCalendars']?.(context, 'tea')).toEqual({
    results: [{ name: 'Team', value: 'team' }],
    paginationToken: 'next',
  });
  expect((await listSearch['getTimezones']?.(context, 'berlin'))?.results).toEqual([
    { name: 'Europe/Berlin', value: 'Europe/Berlin' },
  ]);
  expect(await loadOptions['getColors']?.(context)).toEqual([{ name: 'Background: #a4bdfc, foreground: #1d1d1d', value: '1' }]);
  expect(await loadOptions['getConferenceSolutions']?.(context)).toEqual([{ value: 'hangoutsMeet', name: 'Google Meet' }]);
});
