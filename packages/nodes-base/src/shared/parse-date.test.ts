import { expect, test } from '@jest/globals';
import { parseDate } from './parse-date.ts';

const noon = Date.UTC(2024, 0, 15, 12);

test.each([
  ['2024-01-15T12:00:00Z', noon],
  ['2024-01-15T12:00:00.000+01:00', noon - 3_600_000],
  ['2024-01-15T07:00:00', noon],
  [' 2024-01-15 07:00:00 ', noon],
  ['Mon, 15 Jan 2024 12:00:00 GMT', noon],
  [noon, noon],
  [8.64e15, 8.64e15],
  [-8.65e15, undefined],
  [Number.NaN, undefined],
  ['tomorrow', undefined],
  ['', undefined],
  ['2024-01-15'.padEnd(201), undefined],
  [null, undefined],
  [true, undefined],
])('%j is %s; text without an offset is in the workflow’s time zone', (value, expected) => {
  expect(parseDate(value, 'America/New_York')).toBe(expected);
});
