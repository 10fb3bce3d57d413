import { describe, expect, test } from '@jest/globals';
import type { JsonObject, JsonValue } from '@sluice/node-sdk';
import { runForJson, runNode } from '../../testing/fake-context.ts';
import { dateTime } from './date-time.ts';

const instant = '2024-03-05T07:08:09.123Z';

describe('date & time 1', () => {
  const run = async (parameters: JsonObject) =>
    (
      await runForJson(dateTime, {
        json: [{ a: 1 }],
        parameters: { value: instant, ...parameters },
        typeVersion: 1,
        timezone: 'America/New_York',
      })
    )[0];
  const format = async (toFormat: string, more: JsonObject = {}) => (await run({ toFormat, ...more }))?.['data'];

  test.each([
    ['MM/DD/YYYY', '03/05/2024'],
    ['YYYY-MM-DD HH:mm:ss.SSS', '2024-03-05 07:08:09.123'],
    ['dddd, MMMM Do YYYY, h:mm:ss a', 'Tuesday, March 5th 2024, 7:08:09 am'],
    ['ddd dd d E e', 'Tue Tu 2 2 2'],
    ['YY M MMM D DDD DDDD', '24 3 Mar 5 65 065'],
    ['Q Qo Mo DDDo', '1 1st 3rd 65th'],
    ['W WW GGGG', '10 10 2024'],
    ['A k kk S SS SSSSSS', 'AM 7 07 1 12 123000'],
    ['Z ZZ z', '+00:00 +0000 UTC'],
    ['X x', '1709622489 1709622489123'],
    ['[Year] YYYY', 'Year 2024'],
    ['L LT', '03/05/2024 7:08 AM'],
    ['LLLL', 'Tuesday, March 5, 2024 7:08 AM'],
  ])('writes %s as %s, in UTC', async (toFormat, expected) => {
    expect(await format(toFormat)).toBe(expected);
  });

  test('keeps the item’s fields, and a dot in the result’s name is part of the name', async () => {
    expect(await run({ dataPropertyName: 'o.date' })).toEqual({ a: 1, 'o.date': '03/05/2024' });
  });

  test.each<[JsonObject, string]>([
    [{ options: { toTimezone: 'Asia/Tokyo' } }, '2024-03-05 16:08'],
    [{ value: '2024-03-05 10:00', options: { fromTimezone: 'Asia/Tokyo', toTimezone: 'UTC' } }, '2024-03-05 01:00'],
    [{ value: '2024-03-05 10:00', options: { fromTimezone: 'Asia/Tokyo' } }, '2024-03-04 20:00'],
    [{ value: '2024-03-05 10:00', options: { toTimezone: 'Asia/Tokyo' } }, '2024-03-06 00:00'],
    [{ value: 'March 5, 2024', options: { toTimezone: 'Asia/Tokyo' } }, '2024-03-05 09:00'],
    [{ value: '5 March 2024 10:00' }, '2024-03-05 10:00'],
    [{ value: 'Tue Mar 05 2024 10:00:00 GMT+0100 (CET)' }, '2024-03-05 09:00'],
    [{ value: '2024.03.05' }, '2024-03-05 00:00'],
    [{ value: '03-05-2024' }, '2024-03-05 00:00'],
    [{ value: '20240305' }, '1970-08-23 06:18'],
    [{ value: 12345 }, '1970-01-01 03:25'],
    [{ value: true }, '1970-01-01 00:00'],
    [{ value: 99_999_999_999 }, '5138-11-16 09:46'],
    [{ value: 100_000_000_000 }, '1973-03-03 09:46'],
    [{ value: 'Mar 5th 24', options: { fromFormat: 'MMM Do YY' } }, '2024-03-05 00:00'],
    [{ value: '2024-03-05T10:00Z', options: { fromFormat: 'YYYY-MM-DD' } }, '2024-03-05 00:00'],
    [{ value: '5/3/2024', options: { fromFormat: 'DD/MM/YYYY' } }, '2024-03-05 00:00'],
    [{ value: '20240305', options: { fromFormat: 'YYYYMMDD' } }, '2024-03-05 00:00'],
    [{ value: '05.03.2024 10h', options: { fromFormat: 'DD.MM.YYYY HH[h]' } }, '2024-03-05 10:00'],
    [{ value: 1709622489, options: { fromFormat: 'X' } }, '2024-03-05 07:08'],
    [{ value: '2024/03/05' }, '2024-03-05 00:00'],
    [{ value: 'March 5, 2024' }, '2024-03-05 00:00'],
    [{ value: 1709622489123 }, '2024-03-05 07:08'],
    [{ value: '2024-03-05T09:00:00.000+09:00[Asia/Tokyo]' }, '2024-03-05 00:00'],
  ])('reads %j', async (more, expected) => {
    expect(await format('YYYY-MM-DD HH:mm', more)).toBe(expected);
  });

  test.each<[JsonObject, string]>([
    [{ duration: 1 }, '2024-03-06T07:08:09.123Z'],
    [{ operation: 'subtract', duration: 1, timeUnit: 'months' }, '2024-02-05T07:08:09.123Z'],
    [{ duration: 1, timeUnit: 'quarters' }, '2024-06-05T07:08:09.123Z'],
    [{ duration: 1.5, timeUnit: 'hours' }, '2024-03-05T08:38:09.123Z'],
    [{ duration: 1.5 }, '2024-03-07T07:08:09.123Z'],
    [{ value: 1_709_622_489_123, duration: 0 }, '2024-03-05T07:08:09.123Z'],
    [{ value: 86_400_000, duration: 0 }, '1970-01-02T00:00:00.000Z'],
    [{ value: '2024', duration: 1 }, '2024-01-02T00:00:00.000Z'],
    [{ value: '03/05/2024', duration: 1 }, '2024-03-06T00:00:00.000Z'],
    [{ duration: 7, timeUnit: 'milliseconds' }, '2024-03-05T07:08:09.130Z'],
  ])('calculates %j', async (parameters, expected) => {
    expect((await run({ action: 'calculate', ...parameters }))?.['data']).toBe(expected);
  });

  test.each<[JsonObject, string]>([
    [{ value: null }, '01/01/1970'],
    [{ value: '' }, '01/01/1970'],
    [{ action: 'calculate', value: null, duration: 2 }, '1970-01-03T00:00:00.000Z'],
  ])('treats null as the epoch: %j', async (parameters, expected) => {
    expect(await run(parameters)).toEqual({ a: 1, data: expected });
  });

  test.each([
    [{ value: 'soon' }, 'the parameter "value" must be a date'],
    [{ options: { toTimezone: 'Mars' } }, '"options.toTimezone" must be a time zone'],
    [{ value: 'soon', options: { fromFormat: 'YYYY' } }, 'the parameter "value" must be a date'],
    [{ value: '2024-02-30' }, '"value"'],
    [{ value: '13:45' }, '"value"'],
    [{ value: { a: 1 } }, '"value"'],
    [{ dataPropertyName: '' }, '"dataPropertyName"'],
    [{ action: 'calculate', value: '1709622489', duration: 1 }, '"value"'],
    [{ action: 'calculate', value: '', duration: 1 }, '"value"'],
    [{ action: 'calculate', timeUnit: 'eons' }, '"timeUnit"'],
    [{ action: 'calculate', value: '2024-01-01', duration: 1e12 }, 'too far in the past or future'],
  ])('%j is refused', async (parameters, message) => {
    await expect(run(parameters)).rejects.toThrow(message);
  });
});

describe('date & time 2', () => {
  const run = async (parameters: JsonObject, timezone = 'America/New_York') =>
    (await runForJson(dateTime, { json: [{ a: 1 }], parameters, typeVersion: 2, timezone }))[0];

  test.each<[JsonObject, JsonObject]>([
    [{ operation: 'addToDate', magnitude: instant, duration: 1 }, { newDate: '2024-03-06T02:08:09.123-05:00' }],
    [
      { operation: 'addToDate', magnitude: instant, duration: 1, timeUnit: 'weeks' },
      { newDate: '2024-03-12T02:08:09.123-04:00' },
    ],
    [
      { operation: 'subtractFromDate', magnitude: '2024-03-05', duration: 2, timeUnit: 'hours' },
      { newDate: '2024-03-04T17:00:00.000-05:00' },
    ],
    [
      { operation: 'addToDate', magnitude: instant, duration: 7, timeUnit: 'milliseconds' },
      { newDate: '2024-03-05T02:08:09.130-05:00' },
    ],
    [{ operation: 'addToDate', magnitude: null, duration: 1 }, { newDate: '1970-01-01T19:00:00.000-05:00' }],
    [{ operation: 'addToDate', magnitude: '', duration: 1 }, { newDate: '1970-01-01T19:00:00.000-05:00' }],
    [{ operation: 'formatDate', date: null }, { formattedDate: null }],
    ...[
      ['2024-03-05T10:00:00+05:00', '10:00 +05:00 Etc/GMT-5'],
      ['2024-03-05T10:00:00+05:30', '10:00 +05:30 UTC+5:30'],
      ['2024-03-05T10:00:00-05:00', '15:00 +00:00 Etc/UTC'],
      ['2024-03-05T10:00:00', '10:00 +00:00 Etc/UTC'],
    ].map(([date = '', formattedDate = '']): [JsonObject, JsonObject] => [
      { operation: 'formatDate', date, format: 'custom', customFormat: 'HH:mm ZZ z' },
      { formattedDate },
    ]),
    [
      {
        operation: 'formatDate',
        date: '05/03/2024',
        options: { fromFormat: 'dd/MM/yyyy' },
        format: 'custom',
        customFormat: 'HH:mm',
      },
      { formattedDate: '05:00' },
    ],
    [{ operation: 'formatDate', date: instant, format: 'custom', customFormat: '' }, { formattedDate: '' }],
    [{ operation: 'extractDate', date: 12345, part: 'year' }, { datePart: 1969 }],
    [{ operation: 'extractDate', date: instant, outputFieldName: '' }, { '': 3 }],
    [{ operation: 'formatDate', date: '', format: 'X' }, { formattedDate: '0' }],
    [
      { operation: 'formatDate', date: '2024-03-10T01:30:00-05:00', format: 'custom', customFormat: 'HH:mm ZZ' },
      { formattedDate: '06:30 +00:00' },
    ],
    [
      { operation: 'getTimeBetweenDates', startDate: '2024-03-10T07:30', endDate: '2025-01-15T10:00:00Z', units: ['day'] },
      { timeDifference: { days: 311.0625 } },
    ],
    [{ operation: 'formatDate', date: instant }, { formattedDate: '03/05/2024' }],
    [{ operation: 'formatDate', date: instant, format: 'custom', customFormat: 'HH:mm ZZ' }, { formattedDate: '07:08 +00:00' }],
    [
      { operation: 'formatDate', date: instant, format: 'custom', customFormat: 'HH:mm ZZ', options: { timezone: true } },
      { formattedDate: '02:08 -05:00' },
    ],
    [
      { operation: 'formatDate', date: '20240305', options: { fromFormat: 'yyyyMMdd' }, format: 'MMMM dd yyyy' },
      { formattedDate: 'March 05 2024' },
    ],
    [{ operation: 'formatDate', date: instant, format: 'X' }, { formattedDate: '1709622489' }],
    [{ operation: 'formatDate', date: 1709622489, format: 'yyyy-MM-dd' }, { formattedDate: '2024-03-05' }],
    [{ operation: 'roundDate', date: instant }, { roundedDate: '2024-03-01T00:00:00.000-05:00' }],
    [{ operation: 'roundDate', date: instant, toNearest: 'hour' }, { roundedDate: '2024-03-05T02:00:00.000-05:00' }],
    [{ operation: 'roundDate', date: instant, mode: 'roundUp' }, { roundedDate: '2024-04-01T00:00:00.000-04:00' }],
    [
      { operation: 'roundDate', date: '2024-04-01T04:00:00Z', mode: 'roundUp' },
      { roundedDate: '2024-05-01T00:00:00.000-04:00' },
    ],
    [{ operation: 'getTimeBetweenDates', startDate: '2024-01-01', endDate: '2024-01-03' }, { timeDifference: { days: 2 } }],
    [
      {
        operation: 'getTimeBetweenDates',
        startDate: '2024-01-01',
        endDate: '2024-02-03T12:00',
        units: ['month', 'day', 'hour'],
      },
      { timeDifference: { months: 1, days: 2, hours: 12 } },
    ],
    [
      { operation: 'getTimeBetweenDates', startDate: '2024-01-01', endDate: '2024-01-03', options: { isoString: true } },
      { timeDifference: 'P2D' },
    ],
    [{ operation: 'extractDate', date: instant }, { datePart: 3 }],
    [{ operation: 'extractDate', date: instant, part: 'hour' }, { datePart: 2 }],
    [{ operation: 'extractDate', date: instant, part: 'week' }, { datePart: 10 }],
    [
      { operation: 'extractDate', date: instant, outputFieldName: 'x', options: { includeInputFields: true } },
      { a: 1, x: 3 },
    ],
  ])('%j yields %j', async (parameters, expected) => {
    expect(await run(parameters)).toEqual(expected);
  });

  const tokyo = '2024-02-28T13:45:30.000+09:00[Asia/Tokyo]';

  test.each<[JsonObject, JsonObject]>([
    [{ operation: 'formatDate', date: tokyo, format: 'custom', customFormat: 'HH:mm ZZ' }, { formattedDate: '13:45 +09:00' }],
    [
      {
        operation: 'formatDate',
        date: tokyo,
        format: 'custom',
        customFormat: 'HH z',
        options: { timezone: true, fromFormat: 'yyyy' },
      },
      { formattedDate: '13 Asia/Tokyo' },
    ],
    [
      { operation: 'formatDate', date: `${tokyo}[_locale=en-GB]`, format: 'custom', customFormat: 'D' },
      { formattedDate: '28/02/2024' },
    ],
    [
      {
        operation: 'formatDate',
        date: '2024-02-28T13:45:30-05:00[America/New_York]',
        format: 'custom',
        customFormat: 'HH:mm ZZ',
      },
      { formattedDate: '13:45 -05:00' },
    ],
    [{ operation: 'addToDate', magnitude: tokyo, duration: 1, timeUnit: 'days' }, { newDate: '2024-02-29T13:45:30.000+09:00' }],
    [{ operation: 'roundDate', date: tokyo }, { roundedDate: '2024-02-01T00:00:00.000+09:00' }],
    [{ operation: 'extractDate', date: tokyo, part: 'hour' }, { datePart: 13 }],
    [
      { operation: 'getTimeBetweenDates', startDate: '2024-02-28T00:00:00Z', endDate: tokyo, units: ['hour', 'minute'] },
      { timeDifference: { hours: 4, minutes: 45.5 } },
    ],
  ])('a date keeps the time zone of its expression: %j yields %j', async (parameters, expected) => {
    expect(await run(parameters)).toEqual(expected);
  });

  test.each(['Invalid DateTime', '2024-02-28T13:45:30+09:00[Mars/Olympus]', '[UTC]', '2024-02-28T13:45:30[Europe/Paris]'])(
    '%s is not a date',
    async (date) => {
      await expect(run({ operation: 'formatDate', date })).rejects.toThrow('the parameter "date" must be a date');
    },
  );

  test('rounds up to the next start of any unit', async () => {
    const parameters = { operation: 'roundDate', date: '2024-02-28T12:00', mode: 'roundUp', to: 'week' };
    expect(await run(parameters)).toEqual({ roundedDate: '2024-03-04T00:00:00.000-05:00' });
  });

  test('returns the time, in the workflow’s or another time zone, or only the day', async () => {
    const now: JsonValue | undefined = (await run({}, 'Asia/Tokyo'))?.['currentDate'];
    expect(now).toMatch(/\+09:00$/);
    expect(Math.abs(Date.parse(String(now)) - Date.now())).toBeLessThan(10_000);
    expect((await run({ options: { timezone: 'UTC' } }))?.['currentDate']).toMatch(/Z$/);
    expect((await run({ includeTime: false }))?.['currentDate']).toMatch(/T00:00:00\.000-0[45]:00$/);
  });

  test.each([
    [{ operation: 'formatDate', date: '13:45' }, '"date"'],
    [{ operation: 'getTimeBetweenDates', startDate: instant, endDate: instant, units: [] }, '"units"'],
    [{ operation: 'formatDate' }, 'the parameter "date" must be a date, but is nothing'],
    [{ operation: 'formatDate', date: 'x', options: { fromFormat: 'yyyy' } }, '"date"'],
    [{ operation: 'getTimeBetweenDates', startDate: instant, endDate: instant, units: ['eon'] }, '"units"'],
    [{ options: { timezone: 'Mars' } }, 'time zone'],
    [{ operation: 'formatDate', date: 'abc', options: { fromFormat: 'X' } }, '"date"'],
    [{ operation: 'formatDate', date: '', options: { fromFormat: 'x' } }, '"date"'],
    [{ operation: 'addToDate', magnitude: instant, duration: 1e12 }, 'too far in the past or future'],
    [{ operation: 'travel' }, '"operation"'],
  ])('%j is refused', async (parameters, message) => {
    await expect(run(parameters)).rejects.toThrow(message);
  });

  test('a failed item has an error if the node continues; other items are paired with their input items', async () => {
    const parameters = (index: number) => ({ operation: 'extractDate', date: index === 0 ? 'x' : instant });
    expect((await runNode(dateTime, { json: [{}, {}], parameters, continueOnFail: true }))[0]).toEqual([
      { json: { error: expect.stringContaining('"date"') }, pairedItem: { item: 0 } },
      { json: { datePart: 3 }, pairedItem: { item: 1 } },
    ]);
  });
});
