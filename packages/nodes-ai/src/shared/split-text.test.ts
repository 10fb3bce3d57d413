import { describe, expect, test } from '@jest/globals';
import { longestBusy } from '@sluice/test-support';
import { separatorsOf } from '../nodes/text-splitter-recursive-character-text-splitter/separators.ts';
import { splitBySeparators } from './split-documents.ts';
import { checkedSizes, located, splitText } from './split-text.ts';

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
    expect(splitText(text, recursive(size, overlap))).toEqual(expected);
  });

  test('keeps Markdown headings with their text', async () => {
    const text = '# A\nfirst words here\n## B\nsecond words';
    expect(splitText(text, recursive(24, 0, 'markdown'))).toEqual(['# A\nfirst words here', '## B\nsecond words']);
  });

  test('with a custom separator, a part that is too long stays whole', async () => {
    const options = { chunkSize: 5, chunkOverlap: 0, separators: ['|'], keepsSeparator: false };
    expect(splitText('a|b|too long|c', options)).toEqual(['a|b', 'too long', 'c']);
  });

  test('chunks are never too long and keep every word, for texts of any shape', async () => {
    let seed = 7;
    const random = (limit: number) => {
      seed = (seed * 48_271) % 2_147_483_647;
      return seed % limit;
    };
    for (let round = 0; round < 200; round += 1) {
      const words = Array.from({ length: random(60) }, (_, index) => `w${index}${'x'.repeat(random(9))}`);
      const text = words.map((word) => word + [' ', '\n', '\n\n', '  '][random(4)]).join('');
      const size = 12 + random(40);
      const chunks = splitText(text, recursive(size, random(size)));
      expect(chunks.every((chunk) => chunk.length <= size)).toBe(true);
      const keptWords = new Set(chunks.flatMap((chunk) => chunk.split(/\s+/)));
      expect(words.filter((word) => !keptWords.has(word))).toEqual([]);
    }
  });
});

const splitting = () => ({
  context: { workflow: { id: 'w1' } as never },
  itemIndex: 0,
  signal: new AbortController().signal,
});
const documentsOf = (...texts: string[]) => texts.map((text) => ({ text, metadata: { source: 's' } }));

// Work whose cost depends on untrusted input never blocks the event loop.
test('large texts of any shape do not block the event loop', async () => {
  const texts = ['x'.repeat(8_000_000), 'word '.repeat(400_000), 'line\n'.repeat(400_000), `${'\n'.repeat(4_000_000)}x`];
  const busy = await longestBusy(async () => {
    const chunks = await splitBySeparators(documentsOf(...texts), recursive(1_000, 200), splitting());
    expect(chunks.length).toBeGreaterThan(10_000);
  });
  expect(busy).toBeLessThan(250);
});

test('other work runs while many short texts are split', async () => {
  let hasRun = false;
  setImmediate(() => {
    hasRun = true;
  });
  const documents = Array.from({ length: 50_000 }, (_, row) => ({ text: `row ${row}`, metadata: {} }));
  const options = { chunkSize: 100, chunkOverlap: 0, separators: [' '], keepsSeparator: false };
  const { signal } = new AbortController();
  const chunks = await splitBySeparators(documents, options, {
    context: { workflow: { id: 'w' } } as never,
    itemIndex: 0,
    signal,
  });
  expect(chunks).toHaveLength(50_000);
  expect(hasRun).toBe(true);
});

test.each(['x', 'x ', 'x\n\n'])('too many chunks of %j are an error', async (part) => {
  const text = part.repeat(400_000);
  await expect(splitBySeparators(documentsOf(text), recursive(1), splitting())).rejects.toMatchObject({
    message: 'the text cannot be split: it has more than 100000 chunks',
    description: expect.stringContaining('"Chunk Size"'),
  });
});

test('chunks contain their line numbers in the document', async () => {
  expect(await splitBySeparators(documentsOf('a\nb\n\nc'), recursive(4), splitting())).toEqual([
    { text: 'a\nb', metadata: { source: 's', loc: { lines: { from: 1, to: 2 } } } },
    { text: 'c', metadata: { source: 's', loc: { lines: { from: 4, to: 4 } } } },
  ]);
});

test('a chunk that is not found in the text has the lines of the previous chunk', () => {
  expect([...located('a\nb\nc', ['b', 'other', 'c'])]).toEqual([
    { text: 'b', from: 2, to: 2 },
    { text: 'other', from: 2, to: 2 },
    { text: 'c', from: 3, to: 3 },
  ]);
});

test.each([
  [0, 0],
  [10, 10],
  [10, -1],
])('chunk size %i with overlap %i is rejected', (size, overlap) => {
  expect(() => checkedSizes(size, overlap, 0)).toThrow('overlap');
});
