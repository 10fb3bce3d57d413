import { expect, test } from '@jest/globals';
import type { JsonObject, JsonValue } from '@sluice/domain';
import { pollRules } from './poll.ts';

test.each<[JsonValue | undefined]>([[undefined], [null], [{}], [{ item: [] }], ['no times']])(
  '%j means every minute',
  (pollTimes) => {
    expect(pollRules(pollTimes)).toEqual([{ every: 'minutes', count: 1 }]);
  },
);

test('times are parsed', () => {
  const item: JsonObject[] = [
    {},
    { hour: 9 },
    { mode: 'everyHour', minute: '20' },
    { mode: 'everyWeek', weekday: '0', hour: 8, minute: 5 },
    { mode: 'everyMonth', dayOfMonth: 31 },
    { mode: 'everyX', unit: 'minutes', value: 10 },
    { mode: 'custom', cronExpression: ' 0 9 * * 1 ' },
  ];
  expect(pollRules({ item })).toEqual([
    { every: 'days', count: 1, hour: 14, minute: 0 },
    { every: 'days', count: 1, hour: 9, minute: 0 },
    { every: 'hours', count: 1, minute: 20 },
    { every: 'weeks', count: 1, weekdays: [0], hour: 8, minute: 5 },
    { every: 'months', count: 1, day: 31, hour: 14, minute: 0 },
    { every: 'minutes', count: 10 },
    { cron: '0 9 * * 1' },
  ]);
});

test.each<[JsonValue, string]>([
  [{ mode: 'yearly' }, '"mode" must be a known mode'],
  [{ mode: 'everyX', value: 0 }, '"value" must be a whole number from 1 to 1000000'],
  [{ mode: 'everyHour', minute: 60 }, '"minute" must be a whole number from 0 to 59'],
  [{ mode: 'custom', cronExpression: ' ' }, '"cronExpression" must be a cron expression'],
])('%j is refused', (entry, message) => {
  expect(() => pollRules({ item: [entry] })).toThrow(message);
});
