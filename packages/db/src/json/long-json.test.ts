import { expect, jest, test } from '@jest/globals';
import { parseStored } from './long-json.ts';

test('stored JSON with more keys than a request may have is read in chunks', async () => {
  const text = JSON.stringify({ global: Object.fromEntries(Array.from({ length: 150_000 }, (_, i) => [`key ${i}`, i])) });
  const parse = jest.spyOn(JSON, 'parse');
  const parsed = await parseStored(text);
  const longest = Math.max(...parse.mock.calls.map(([chunk]) => chunk.length));
  parse.mockRestore();
  expect(JSON.stringify(parsed)).toBe(text);
  expect(longest).toBeLessThan(text.length / 10);
});

test('stored JSON that is nested deeper than requests may be is readable', async () => {
  const text = `${'['.repeat(40_000)}${']'.repeat(40_000)}`;
  expect(JSON.stringify(await parseStored(text))).toBe(text);
});
