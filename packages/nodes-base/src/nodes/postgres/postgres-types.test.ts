import { expect, test } from '@jest/globals';
import { longestBusy } from '@sluice/test-support';
import { types } from 'pg';
import { postgresTypes } from './postgres-types.ts';

const { getTypeParser } = postgresTypes(types.getTypeParser, 'text');
const parse = (type: number, text: string) => (getTypeParser(type) as (text: string) => unknown)(text);

test('dates and times become ISO 8601, also in arrays', () => {
  expect(parse(1184, '2020-01-02 03:04:05+00')).toBe('2020-01-02T03:04:05.000Z');
  expect(parse(1185, '{"2020-01-02 03:04:05+00"}')).toEqual([new Date('2020-01-02T03:04:05.000Z')]);
});

test.each([1184, 1114, 1082])('a time of a million characters stays text: type %s', async (type) => {
  const text = `2020-01-01 ${'0'.repeat(1_000_000)}`;
  expect(await longestBusy(() => expect(parse(type, text)).toBe(text))).toBeLessThan(250);
});

test.each([1185, 1115, 1182])('so does an array that has one: type %s', async (type) => {
  const text = `{"2020-01-01 ${'0'.repeat(1_000_000)}"}`;
  expect(await longestBusy(() => expect(parse(type, text)).toBe(text))).toBeLessThan(250);
});
