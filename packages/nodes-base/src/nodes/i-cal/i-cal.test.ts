import { expect, test } from '@jest/globals';
import type { JsonObject } from '@sluice/node-sdk';
import { type FakeRun, runNode } from '../../testing/fake-context.ts';
import { memoryBinary } from '../../testing/memory-binary.ts';
import { iCal } from './i-cal.ts';

async function lines(parameters: JsonObject, run: Partial<FakeRun> = {}): Promise<string[]> {
  const binary = memoryBinary();
  const filled = { start: '2024-05-02T10:00:00', end: '2024-05-02T11:30:00', ...parameters };
  const [items] = await runNode(iCal, { ...run, binary, parameters: filled });
  const file = items?.[0]?.binary?.['data'];
  return file
    ? Buffer.from(await binary.read(file))
        .toString()
        .replaceAll('\r\n ', '')
        .split('\r\n')
    : [];
}

test('an event can have all supported properties', async () => {
  const event = await lines({
    title: 'Plan, review',
    additionalFields: {
      attendeesUi: { attendeeValues: [{ name: 'Ada', email: 'ada@example.com', rsvp: true }] },
      busyStatus: 'TENTATIVE',
      calName: 'Team',
      description: 'All of it',
      geolocationUi: { geolocationValues: { lat: '52.5', lon: '13.4' } },
      location: 'Room 1',
      organizerUi: { organizerValues: { name: 'Alan', email: 'alan@example.com' } },
      recurrenceRule: 'FREQ=WEEKLY;COUNT=4',
      sequence: 2,
      status: 'CANCELLED',
      uid: 'id-1',
      url: 'https://example.com/plan',
    },
  });
  expect(event).toEqual(
    expect.arrayContaining([
      'X-WR-CALNAME:Team',
      'UID:id-1',
      'SEQUENCE:2',
      'DTSTART:20240502T100000Z',
      'DTEND:20240502T113000Z',
      'RRULE:FREQ=WEEKLY;COUNT=4',
      'SUMMARY:Plan\\, review',
      'LOCATION:Room 1',
      'GEO:52.5;13.4',
      'DESCRIPTION:All of it',
      'ORGANIZER;CN="Alan":mailto:alan@example.com',
      'STATUS:CANCELLED',
      'X-MICROSOFT-CDO-BUSYSTATUS:TENTATIVE',
      'URL;VALUE=URI:https://example.com/plan',
    ]),
  );
  expect(event.find((line) => line.startsWith('ATTENDEE'))).toMatch(/RSVP=TRUE.*mailto:ada@example\.com/i);
});

test('dates without an offset are in UTC, or in the workflow’s time zone', async () => {
  const run = { timezone: 'Europe/Berlin' };
  expect(await lines({}, run)).toContain('DTSTART:20240502T100000Z');
  expect(await lines({ additionalFields: { useWorkflowTimezone: true } }, run)).toContain('DTSTART:20240502T080000Z');
});

test('an all-day event ends on the day after its last day, as the format requires', async () => {
  const event = await lines({ allDay: true, start: '2024-05-02', end: '2024-05-03' });
  expect(event).toEqual(expect.arrayContaining(['DTSTART;VALUE=DATE:20240502', 'DTEND;VALUE=DATE:20240504']));
});

test.each<[JsonObject, string]>([
  [{ start: 'soon' }, 'the parameter "start" must be a date'],
  [{ end: '2024-05-01' }, 'ends before it begins'],
  [{ additionalFields: { recurrenceRule: 'FREQ=DAILY\r\nX-A:1' } }, 'must be one line'],
  [{ additionalFields: { url: 'no url' } }, 'the URL of the event'],
  [{ additionalFields: { busyStatus: 'ASLEEP' } }, 'the event cannot be written'],
])('%j is an error', async (parameters, message) => {
  await expect(lines(parameters)).rejects.toMatchObject({ message: expect.stringContaining(message), itemIndex: 0 });
});

test('a storage failure is not reported as an event error', async () => {
  const failure = new Error('the disk is full');
  const binary = { ...memoryBinary(), store: () => Promise.reject(failure) };
  const parameters = { start: '2024-05-02', end: '2024-05-03' };
  await expect(runNode(iCal, { binary, parameters })).rejects.toBe(failure);
});

test('text cannot add lines to the file', async () => {
  const event = await lines({
    title: 'a\r\nATTENDEE:mailto:x@example.com',
    additionalFields: {
      uid: 'u\r\nX-B:1',
      url: 'https://e.com/\r\nX-C:1',
      organizerUi: { organizerValues: { name: 'a\nX-D:1', email: 'e\nX-D:1' } },
    },
  });
  expect(event.filter((line) => /^(ATTENDEE|X-B|X-C|X-D)/.test(line))).toEqual([]);
});
