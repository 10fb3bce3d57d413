import { describe, expect, test } from '@jest/globals';
import { toDataValue } from './data-table.ts';

describe('a date of a data table', () => {
  const store = (text: string) => toDataValue({ name: 'due', type: 'date' }, text, '/data/0/due');

  test.each([
    ['2026-02-28', '2026-02-28T00:00:00.000Z'],
    ['2028-02-29 10:00', '2028-02-29T10:00:00.000Z'],
    ['2026-01-02T03:04:05.678+02:00', '2026-01-02T01:04:05.678Z'],
  ])('%s is stored in UTC', (text, stored) => {
    expect(store(text)).toBe(stored);
  });

  test.each([
    '2026-02-30',
    '2026-02-29 10:00',
    '2026-04-31T12:00:00+02:00',
    '2026-13-01',
    '2026-01-02T25:00',
    '0000-01-01',
    '0001-01-01T00:00:00+14:00',
    'now',
  ])('%s is refused, not moved to another day', (text) => {
    expect(() => store(text)).toThrow('the column "due" needs an ISO 8601 date');
  });
});
