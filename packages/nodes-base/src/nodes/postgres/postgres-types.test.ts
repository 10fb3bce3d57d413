import { expect, test } from '@jest/globals';
import type { JsonObject } from '@sluice/node-sdk';
import { longestBusy } from '@sluice/test-support';
import { types } from 'pg';
import { DeferredValue, setDeferred } from '../../shared/sql/deferred-value.ts';
import { postgresTypes } from './postgres-types.ts';

const { getTypeParser } = postgresTypes(types.getTypeParser, 'text');

/** The value as the session returns it, in a column named `v`. */
async function parse(type: number, text: string): Promise<unknown> {
  const value = (getTypeParser(type) as (text: string) => unknown)(text);
  if (!(value instanceof DeferredValue)) return value;
  const row: JsonObject = {};
  await setDeferred([{ row, name: 'v', value }]);
  return row['v'];
}

test('dates and times become ISO 8601, including in arrays', async () => {
  expect(await parse(1184, '2020-01-02 03:04:05+00')).toBe('2020-01-02T03:04:05.000Z');
  expect(await parse(1185, '{"2020-01-02 03:04:05+00"}')).toEqual(['2020-01-02T03:04:05.000Z']);
});

test.each([1184, 1114, 1082])('a time of a million characters remains text: type %s', async (type) => {
  const text = `2020-01-01 ${'0'.repeat(1_000_000)}`;
  expect(await longestBusy(async () => expect(await parse(type, text)).toBe(text))).toBeLessThan(250);
});

test.each([1185, 1115, 1182])('an array that contains a time of a million characters remains text: type %s', async (type) => {
  const text = `{"2020-01-01 ${'0'.repeat(1_000_000)}"}`;
  expect(await longestBusy(async () => expect(await parse(type, text)).toBe(text))).toBeLessThan(250);
});

const oid = { text: 25, json: 114, point: 600, 'json[]': 199, 'int[]': 1007, 'text[]': 1009, 'timestamp[]': 1115 };
const numbers = (count: number) => `{${Array(count).fill('1').join(',')}}`;

test('values that the library parses at once have at most 1 MiB', async () => {
  expect(await parse(oid['int[]'], '{1,NULL}')).toEqual([1, null]);
  expect(await parse(oid['int[]'], numbers(500_000))).toHaveLength(500_000);
  for (const type of ['int[]', 'json[]', 'text[]', 'timestamp[]', 'point'] as const)
    await expect(parse(oid[type], numbers(600_000))).rejects.toThrow('column "v" is too long for its type');
});

test('text and JSON have no such limit', async () => {
  expect(await parse(oid.text, numbers(600_000))).toHaveLength(1_200_001);
  expect(await parse(oid.json, `[${Array(600_000).fill('1').join(',')}]`)).toHaveLength(600_000);
});

test.each([
  ['arrays', oid['int[]'], numbers(500_000)],
  ['short arrays', oid['int[]'], numbers(500)],
  ['JSON', oid.json, `[${'{},'.repeat(100_000)}0]`],
])('a row with many %s does not block the event loop', async (_kind, type, text) => {
  const parser = getTypeParser(type) as (text: string) => unknown;
  const row: JsonObject = {};
  const busy = await longestBusy(async () => {
    const values = Array.from({ length: Math.ceil(10_000_000 / text.length) }, () => parser(text) as DeferredValue);
    await setDeferred(values.map((value, index) => ({ row, name: String(index), value })));
  });
  expect(busy).toBeLessThan(250);
});
