import { describe, expect, test } from '@jest/globals';
import * as luxon from 'luxon';
import { speedUpLuxon } from './luxon-speed.ts';

const { DateTime, Settings } = luxon;
Settings.defaultLocale = 'en-US';

const zones = ['UTC', 'Europe/Berlin', 'America/New_York', 'Australia/Lord_Howe', 'Asia/Kathmandu', 'America/St_Johns'];
const texts = [
  '2026-01-15',
  '2026-03-29T02:30',
  '2026-10-25T02:30:00',
  '2026-11-01T01:30:00.5',
  '2026-04-05T01:45:10.283',
  '2024-02-29T23:59:59.999Z',
  '2023-02-29',
  '2026-13-01',
  '2026-01-15T24:00',
  '2026-01-15T10:00+05:45',
  '2026-01-15T10:00:00.123456-03:30',
  '2026-W05-2',
  '20260115T101500Z',
  '2026-01',
  '0099-01-01',
  '+012026-01-01',
  'nonsense',
  '',
];
const options = [
  undefined,
  {},
  { setZone: true },
  { zone: 'Asia/Tokyo' },
  { zone: 'No/Where' },
  { zone: 'utc', setZone: true },
];
const instants = [
  0,
  1e12,
  Date.UTC(2026, 2, 29, 0, 59, 59, 999),
  Date.UTC(2026, 9, 25, 0, 30),
  Date.UTC(2024, 1, 29, 12),
  -6e13,
];
const amounts: (number | object)[] = [
  { days: 1 },
  { day: -31, hours: 5 },
  { months: 1 },
  { quarters: 3, weeks: 2 },
  { years: 1, months: -13, days: 40, minutes: 90, seconds: 1, milliseconds: 7 },
  { months: 1.5 },
  { hour: 0.5 },
  { days: 2, day: 1 },
  { week: 1, months: 1, weeks: 2 },
  {},
  86_400_000,
  luxon.Duration.fromISO('P1DT2H'),
];
const formats = [
  'yyyy-MM-dd HH:mm:ss.SSS',
  "d/M/yy 'at' h:mm a",
  "HH 'o''clock'",
  "''",
  'EEE LLLL',
  'hh:mm ZZ',
  'yyyyMMdd',
  "'",
  'kkkk',
  '[x] 12',
];

function print(date: luxon.DateTime): unknown {
  return [date.isValid, date.toISO(), date.zoneName, date.offset, date.locale, date.toMillis()];
}

/** Luxon's results for all combinations. */
function results(): Map<string, unknown> {
  const values = new Map<string, unknown>();
  for (const zone of zones) {
    Settings.defaultZone = zone;
    for (const [name, value] of [...parsed(), ...instants.flatMap((ms) => [...formatted(ms), ...moved(ms)])]) {
      values.set(`${zone} ${name}`, value);
    }
  }
  return values;
}

function parsed(): [string, unknown][] {
  return texts.flatMap((text) =>
    options.map((option): [string, unknown] => [`${text} ${JSON.stringify(option)}`, print(DateTime.fromISO(text, option))]),
  );
}

function formatted(ms: number): [string, unknown][] {
  return ['en-US', 'fr'].flatMap((locale) => {
    const date = DateTime.fromMillis(ms).setLocale(locale);
    return formats.map((format): [string, unknown] => [`${ms} ${locale} ${format}`, date.toFormat(format)]);
  });
}

function moved(ms: number): [string, unknown][] {
  const date = DateTime.fromMillis(ms);
  return amounts.flatMap((amount): [string, unknown][] => [
    [`${ms} + ${JSON.stringify(amount)}`, print(date.setLocale('de').plus(amount))],
    [`${ms} - ${JSON.stringify(amount)}`, print(date.minus(amount))],
    [`${ms} in Tokyo`, print(date.setZone('Asia/Tokyo').setZone('Asia/Tokyo', { keepLocalTime: true }))],
    [`${ms} nowhere`, print(date.setZone('No/Where'))],
  ]);
}

describe('accelerated luxon', () => {
  const before = results();
  speedUpLuxon(luxon);

  test('returns the same as luxon', () => {
    for (const [name, value] of results()) expect({ name, value }).toEqual({ name, value: before.get(name) });
    expect(before.size).toBeGreaterThan(1_500);
  });

  test('adds a number of units too', () => {
    const date = DateTime.fromISO('2026-01-31T00:00:00Z', { zone: 'utc' }) as luxon.DateTime & {
      plus(amount: number, unit: string): luxon.DateTime;
    };
    expect(date.plus(1, 'month').toISO()).toBe('2026-02-28T00:00:00.000Z');
  });

  test('still explains why an argument is wrong', () => {
    expect(() => DateTime.utc().plus({ lightyears: 1 } as luxon.DurationLike)).toThrow('Invalid unit lightyears');
    expect(DateTime.invalid('x').plus({ days: 1 }).isValid).toBe(false);
  });
});
