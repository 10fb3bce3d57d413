import { describe, expect, test } from '@jest/globals';
import { separatorsOf } from '../nodes/text-splitter-recursive-character-text-splitter/separators.ts';
import { checkedSizes, splitDocuments, splitText } from './split-text.ts';

const recursive = (chunkSize: number, chunkOverlap = 0, language = '') => ({
  chunkSize,
  chunkOverlap,
  separators: separatorsOf(language, 0),
  keepsSeparator: true,
});

describe('splitText', () => {
  test.each<[string, number, number, string[]]>([
    ['one two three four', 9, 0, ['one two', 'three', 'four']],
    ['one two three four', 10, 5, ['one two', 'two three', 'four']],
    ['a\n\nb\n\nccccccc d', 5, 0, ['a\n\nb', 'cccc', 'ccc', 'd']],
    ['0123456789', 4, 1, ['0123', '3456', '6789']],
    ['', 4, 0, []],
    ['  \n\n ', 4, 0, []],
    ['short', 100, 10, ['short']],
  ])('%j at %i with %i', async (text, size, overlap, expected) => {
    expect(await splitText(text, recursive(size, overlap))).toEqual(expected);
  });

  test('keeps headings of Markdown with their text', async () => {
    const text = '# A\nfirst words here\n## B\nsecond words';
    expect(await splitText(text, recursive(24, 0, 'markdown'))).toEqual(['# A\nfirst words here', '## B\nsecond words']);
  });

  test('with a separator of its own, a part that is too long stays whole', async () => {
    const options = { chunkSize: 5, chunkOverlap: 0, separators: ['|'], keepsSeparator: false };
    expect(await splitText('a|b|too long|c', options)).toEqual(['a|b', 'too long', 'c']);
  });

  test('no chunk is too long, and no word is lost, for texts of any shape', async () => {
    let seed = 7;
    const random = (limit: number) => {
      seed = (seed * 48_271) % 2_147_483_647;
      return seed % limit;
    };
    for (let round = 0; round < 200; round += 1) {
      const words = Array.from({ length: random(60) }, (_, index) => `w${index}${'x'.repeat(random(9))}`);
      const text = words.map((word) => word + [' ', '\n', '\n\n', '  '][random(4)]).join('');
      const size = 12 + random(40);
      const chunks = await splitText(text, recursive(size, random(size)));
      expect(chunks.every((chunk) => chunk.length <= size)).toBe(true);
      const found = new Set(chunks.flatMap((chunk) => chunk.split(/\s+/)));
      expect(words.filter((word) => !found.has(word))).toEqual([]);
    }
  });

  test('a large text without spaces does not hold the event loop', async () => {
    let longest = 0;
    let last = performance.now();
    const timer = setInterval(() => {
      longest = Math.max(longest, performance.now() - last);
      last = performance.now();
    }, 5);
    const texts = ['x'.repeat(8_000_000), 'word '.repeat(400_000), 'line\n'.repeat(400_000)];
    const chunks = await splitDocuments(
      texts.map((text) => ({ text, metadata: {} })),
      (text) => splitText(text, recursive(1_000, 200)),
    );
    clearInterval(timer);
    expect(chunks.length).toBeGreaterThan(10_000);
    expect(longest).toBeLessThan(1_000); // ten times the limit, for slow machines
  });
});

test('chunks say which lines of their document they have', async () => {
  const documents = [{ text: 'a\nb\n\nc', metadata: { source: 's' } }];
  expect(await splitDocuments(documents, (text) => splitText(text, recursive(4)))).toEqual([
    { text: 'a\nb', metadata: { source: 's', loc: { lines: { from: 1, to: 2 } } } },
    { text: 'c', metadata: { source: 's', loc: { lines: { from: 4, to: 4 } } } },
  ]);
});

test.each([
  [0, 0],
  [10, 10],
  [10, -1],
])('sizes %i and %i cannot be', (size, overlap) => {
  expect(() => checkedSizes(size, overlap, 0)).toThrow('overlap');
});
