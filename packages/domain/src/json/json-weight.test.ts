import { describe, expect, test } from '@jest/globals';
import { jsonWeight, measureJson } from './json-weight.ts';
import { JsonTooDeepError, stringifyJson, stringifyJsonInParts } from './stringify-json.ts';

/** An array that contains arrays, with this many levels. */
function nested(levels: number): unknown[] {
  let value: unknown[] = [];
  for (let level = 1; level < levels; level += 1) value = [value];
  return value;
}

test.each([
  [1, 1, 0],
  ['x'.repeat(128), 3, 0],
  [[1, [2]], 4, 2],
  [{ ab: { c: null } }, 5 + 3 / 64, 2],
  [nested(1_000), 1_000, 1_000],
])('counts values, keys, and levels', (value, weight, depth) => {
  expect(measureJson(value, 10_000)).toMatchObject({ weight, depth });
});

test('a value with its own JSON form is as deep as that JSON', () => {
  const holder = { cycle: {}, toJSON: () => [[['[['.repeat(9)]], new Date(0)] };
  holder.cycle = holder;
  expect(measureJson({ holder }, 100).depth).toBe(4);
  const itself = { toJSON: () => itself, list: [] };
  expect(measureJson(itself, 100).depth).toBe(2);
  expect(measureJson([new Date(0), { toJSON: () => undefined }], 100).depth).toBe(1);
});

test('any number of levels can be counted', () => {
  expect(jsonWeight(nested(1_000_000), 2_000_000)).toBe(1_000_000);
});

test('a cycle ends at the maximum weight', () => {
  const cycle: unknown[] = [];
  cycle.push(cycle, cycle);
  expect(jsonWeight(cycle, 5_000)).toBeGreaterThan(5_000);
});

test('an object with more keys than the maximum weight is marked as wide, wherever its values exceed it', () => {
  const manyKeys = (count: number, value: unknown) =>
    Object.fromEntries(Array.from({ length: count }, (_, n) => [`${n}`, value]));
  const [wide, narrow] = [manyKeys(300, [1, 2, 3]), manyKeys(150, [1, 2, 3])];
  const marked = new Set<object>();
  expect(measureJson(wide, 200, marked).weight).toBeGreaterThan(200);
  expect(measureJson(narrow, 200, marked).weight).toBeGreaterThan(200);
  expect(marked).toEqual(new Set([wide]));
});

test('keys are listed of one object more than the maximum weight requires, even if each contains the next', () => {
  let listed = 0;
  const ownKeys = (target: object) => {
    listed += 1;
    return Reflect.ownKeys(target);
  };
  let value = {};
  const keys = Object.fromEntries(Array.from({ length: 50 }, (_, n) => [`k${n}`, 1]));
  for (let level = 0; level < 100; level += 1) value = new Proxy({ next: value, ...keys }, { ownKeys });
  expect(measureJson(value, 200, new Set()).weight).toBeGreaterThan(200);
  expect(listed).toBeLessThanOrEqual(3);
});

test('light members of a large object are written together, without those that JSON omits', async () => {
  const omitted = { none: undefined, call: () => 1, form: { toJSON: () => undefined }, ['k'.repeat(2_000_000)]: undefined };
  const members = Object.fromEntries(Array.from({ length: 60_000 }, (_, n) => [`é"${n}`, { n }]));
  const value = { ...omitted, ...members, ...{ ['__proto__']: 1, large: 'x'.repeat(2_000_000) } };
  const parts = await stringifyJsonInParts(value);
  expect([...parts].join('')).toBe(JSON.stringify(value));
  expect(parts.length).toBeLessThan(50);
});

describe('stringifyJson with a maximum depth', () => {
  const many = Array.from({ length: 30_000 }, () => 1);
  const manyKeys = Object.fromEntries(many.map((one, n) => [`key ${n}`, one]));
  test.each<[string, (deep: unknown) => unknown]>([
    ['a small value', (deep) => [deep]],
    ['an element of a large array', (deep) => [...many, deep]],
    ['a member of a large object', (deep) => ({ ...manyKeys, deep })],
    ['an element with its own JSON form', (deep) => [...many, { toJSON: () => deep }]],
    ['an array around a large string', (deep) => ['x'.repeat(10_000_000), deep]],
  ])('rejects %s with one level too many', async (_, around) => {
    const write = async (levels: number) => stringifyJson(around(nested(levels)), { maxDepth: 20 });
    expect(await write(19)).toBe(JSON.stringify(around(nested(19))));
    await expect(write(20)).rejects.toThrow(JsonTooDeepError);
  });

  test('rejects a large list that is itself too deep', async () => {
    const write = async (value: unknown) => stringifyJson(value, { maxDepth: 2 });
    await expect(write([[many]])).rejects.toThrow(JsonTooDeepError);
    expect(await write([many])).toBe(JSON.stringify([many]));
  });
});
