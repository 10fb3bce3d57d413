import { describe, expect, test } from '@jest/globals';
import { nestsDeeperThan } from './json-depth.ts';

function deeper(text: string, maxDepth: number): boolean {
  return nestsDeeperThan(Buffer.from(text), maxDepth);
}

describe('nestsDeeperThan', () => {
  test.each([
    ['[[1]]', 2],
    ['[[[1]]]', 3],
    ['{"a":[{"b":1}]}', 3],
  ])('%s has %i levels', (text, levels) => {
    expect(deeper(text, levels)).toBe(false);
    expect(deeper(text, levels - 1)).toBe(true);
  });

  test.each(['["[[[["]', '{"a\\"[[[[":1}', '["\\\\"]', '["\\\\\\"[[[["]', '["é[[[["]', '["[[[['])(
    'brackets within the strings of %s do not count',
    (text) => {
      expect(deeper(text, 1)).toBe(false);
    },
  );

  test('brackets behind a string that ends with a backslash count', () => {
    expect(deeper('["\\\\",[[1]]]', 2)).toBe(true);
  });

  test('neighbours do not add up', () => {
    expect(deeper(`[${'[],'.repeat(1_000)}[]]`, 2)).toBe(false);
  });

  test.each([
    ['nested', '['.repeat(8_000_000)],
    ['of escaped quotes', `["${'\\"'.repeat(4_000_000)}"]`],
    ['one string of backslashes', `["${'\\'.repeat(8_000_000)}`],
    ['of short strings', `["${'","'.repeat(2_500_000)}"]`],
  ])('a hostile body that is %s takes little time', (_, text) => {
    const bytes = Buffer.from(text);
    const began = performance.now();
    nestsDeeperThan(bytes, 100);
    expect(performance.now() - began).toBeLessThan(1_000);
  });
});
