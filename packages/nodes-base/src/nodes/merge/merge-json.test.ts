import { describe, expect, test } from '@jest/globals';
import type { JsonObject } from '@sluice/node-sdk';
import { type ClashRules, defaultClashRules, mergeJson } from './merge-json.ts';

const merged = (rules: Partial<ClashRules>, ...objects: JsonObject[]) =>
  mergeJson(
    objects.map((json, input) => ({ input, json })),
    { ...defaultClashRules, ...rules },
  );

describe('merging objects', () => {
  const a = { id: 1, o: { x: 1, y: 1 }, l: [1, { p: 1 }], e: 'full' };
  const b = { id: 2, o: { y: 2, z: 2 }, l: [2, { q: 2 }, 3], e: '' };

  test('by default, the last input wins at every level', () => {
    expect(merged({}, a, b)).toEqual({ id: 2, o: { x: 1, y: 2, z: 2 }, l: [2, { p: 1, q: 2 }, 3], e: '' });
  });

  test('a preferred input wins regardless of its position', () => {
    expect(merged({ resolve: { preferInput: 0 } }, a, b)).toEqual({
      id: 1,
      o: { x: 1, y: 1, z: 2 },
      l: [1, { p: 1, q: 2 }, 3],
      e: 'full',
    });
  });

  test('a shallow merge replaces nested objects', () => {
    expect(merged({ deep: false }, a, b)).toEqual(b);
  });

  test('an empty value is overridden with the option', () => {
    expect(merged({ overrideEmpty: true }, a, b)['e']).toBe('full');
  });

  test('suffixes keep the fields of all inputs', () => {
    expect(merged({ resolve: 'suffix' }, { a: 1 }, { a: 2, b: 3 })).toEqual({ a_1: 1, a_2: 2, b_2: 3 });
  });

  test('__proto__ is a field like any other', () => {
    const hostile = JSON.parse('{"__proto__":{"polluted":true}}') as JsonObject;
    expect(JSON.stringify(merged({}, hostile, hostile))).toBe('{"__proto__":{"polluted":true}}');
    expect(({} as JsonObject)['polluted']).toBeUndefined();
  });
});
