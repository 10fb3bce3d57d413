import { expect, test } from '@jest/globals';
import { localTime } from './local-time.ts';

test.each([
  ['2026-01-31T13:30:00Z', 'Europe/Berlin', { date: '2026-01-31', time: '14:30:00', offset: '+01:00' }],
  ['2026-07-31T14:30:00', 'Europe/Berlin', { date: '2026-07-31', time: '14:30:00', offset: '+02:00' }],
  ['2026-01-31', 'UTC', { date: '2026-01-31', time: '00:00:00', offset: '+00:00' }],
  [0, 'America/New_York', { date: '1969-12-31', time: '19:00:00', offset: '-05:00' }],
  ['soon', 'UTC', undefined],
  ['2026-01-31', 'Mars/Base', undefined],
  ['2026-01-31'.padEnd(201), 'UTC', undefined],
  [null, 'UTC', undefined],
])('%j in %s is %j', (value, timezone, expected) => {
  expect(localTime(value, timezone)).toEqual(expected);
});
