import { describe, expect, test } from '@jest/globals';
import { assertDepth, assertFiniteNumbers } from './check-json.ts';

test('nesting is let through up to the limit and not beyond', () => {
  const nested = (levels: number) => '['.repeat(levels) + ']'.repeat(levels);
  expect(() => assertDepth(nested(100), 100)).not.toThrow();
  expect(() => assertDepth(nested(101), 100)).toThrow('deeper than 100');
});

describe('numbers', () => {
  test.each(['1e400', '[-1e400]', '{"a":[{"b":1e400}]}'])('that a double cannot hold are refused: %s', (text) => {
    expect(() => assertFiniteNumbers(JSON.parse(text))).toThrow('out of range');
  });

  test.each([undefined, null, 'text', 1, [], { a: [1.5, '1e400', null] }])('of %j are fine', (body) => {
    expect(() => assertFiniteNumbers(body)).not.toThrow();
  });

  test('are found without recursion', () => {
    const deep = JSON.parse(`${'['.repeat(5_000)}1e400${']'.repeat(5_000)}`);
    expect(() => assertFiniteNumbers(deep)).toThrow('out of range');
  });
});
