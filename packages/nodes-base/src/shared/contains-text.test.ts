import { expect, test } from '@jest/globals';
import { longestBusy } from '@sluice/test-support';
import { containsText } from './contains-text.ts';

test('returns the same result as `includes`', () => {
  const texts = Array.from({ length: 2_000 }, (_, seed) => {
    const letters = Array.from(
      { length: 80 + (seed % 90) },
      (__, at) => 'aab'[(at * at * (seed + 1) + (seed >> 3)) % 3] ?? 'a',
    );
    return letters.join('');
  });
  for (const [index, text] of texts.entries()) {
    const long = `${texts[(index * 7) % 2_000]}${text}${texts[(index * 13) % 2_000]}`;
    for (const part of [text, text.slice(3, 75), `${text}b`, `a${text}`, 'ab'.repeat(40), ''])
      expect(containsText(long, part)).toBe(long.includes(part));
  }
});

test('takes linear time', async () => {
  const part = `${'a'.repeat(350_000)}b${'a'.repeat(350_000)}`;
  let result: boolean | undefined;
  const busy = await longestBusy(() => {
    result = containsText('a'.repeat(1_500_000), part);
  });
  expect(result).toBe(false);
  expect(busy).toBeLessThan(100);
});
