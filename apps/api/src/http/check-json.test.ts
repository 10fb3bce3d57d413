import { describe, expect, test } from '@jest/globals';
import { checkJson } from './check-json.ts';

function nested(levels: number): unknown {
  let value: unknown = 'leaf';
  for (let i = 0; i < levels; i++) value = i % 2 ? [value] : { a: value };
  return value;
}

describe('checkJson', () => {
  test('lets through nesting up to the limit and nothing beyond', () => {
    expect(() => checkJson(nested(100), { maxDepth: 100 })).not.toThrow();
    expect(() => checkJson(nested(101), { maxDepth: 100 })).toThrow('deeper than 100');
    expect(() => checkJson(nested(100_000), { maxDepth: 100 })).toThrow('deeper than 100');
  });

  test('refuses numbers that JSON cannot give back', () => {
    expect(() => checkJson(JSON.parse('{"a":[1e400]}'), { maxDepth: 10 })).toThrow('out of range');
  });

  test('has nothing against a missing body', () => {
    expect(() => checkJson(undefined, { maxDepth: 1 })).not.toThrow();
  });
});
