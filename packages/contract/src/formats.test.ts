import { describe, expect, test } from '@jest/globals';
import { parseInstant } from './formats.ts';

describe('parseInstant', () => {
  test.each([
    ['2026-01-02', Date.UTC(2026, 0, 2)],
    ['2028-02-29', Date.UTC(2028, 1, 29)],
    ['2026-01-02T03:04', Date.UTC(2026, 0, 2, 3, 4)],
    ['2026-01-02T03:04:05', Date.UTC(2026, 0, 2, 3, 4, 5)],
    ['2026-01-02T03:04:05.678Z', Date.UTC(2026, 0, 2, 3, 4, 5, 678)],
    ['2026-01-02T03:04:05+02:00', Date.UTC(2026, 0, 2, 1, 4, 5)],
    ['2026-01-02T03:04:05-0130', Date.UTC(2026, 0, 2, 4, 34, 5)],
  ])('reads %s', (text, expected) => {
    expect(parseInstant(text)).toBe(expected);
  });

  test.each([
    '',
    'now',
    '2026',
    '2026-13-01',
    '2026-01-32',
    '2026-02-30',
    '2026-02-29T12:00Z',
    '2026-04-31T12:00:00+02:00',
    '1767312000',
    '2026-01-02T25:00',
    '0000-01-01',
    '2026-01-02 03:04',
  ])('refuses %p', (text) => {
    expect(parseInstant(text)).toBeUndefined();
  });
});
