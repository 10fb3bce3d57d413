import { describe, expect, test } from '@jest/globals';
import { type HostQuery, hostServices } from './host-services.ts';

const ask = (query: HostQuery) => JSON.parse(hostServices(JSON.stringify(query)));

describe('offsets of a year', () => {
  test('change when daylight saving time starts and ends', () => {
    expect(ask({ offsets: { zone: 'Europe/Berlin', year: 2024 } })).toEqual([
      [Date.UTC(2024, 0, 1), 60],
      [Date.UTC(2024, 2, 31, 1), 120],
      [Date.UTC(2024, 9, 27, 1), 60],
    ]);
  });

  test('are correct for short changes and for offsets of part of an hour', () => {
    const morocco = ask({ offsets: { zone: 'Africa/Casablanca', year: 2024 } });
    expect(morocco.map(([, minutes]: [number, number]) => minutes)).toEqual([60, 0, 60]);
    expect(ask({ offsets: { zone: 'Asia/Kathmandu', year: 2024 } })).toEqual([[Date.UTC(2024, 0, 1), 345]]);
  });

  test('start with the year, even in the first century', () => {
    const [first] = ask({ offsets: { zone: 'Asia/Kathmandu', year: 1 } });
    expect(first).toEqual([Date.parse('0001-01-01T00:00:00Z'), expect.closeTo(341.27, 1)]);
  });

  test.each(['Nowhere/City', '', 'x'.repeat(1000)])('are null for a zone that does not exist: %j', (zone) => {
    expect(ask({ offsets: { zone, year: 2026 } })).toBeNull();
  });
});
