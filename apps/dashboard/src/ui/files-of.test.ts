import { expect, test } from '@jest/globals';
import { filesOf, hasPreview } from './files-of.ts';

/** As the service describes it in run data. */
const stored = { id: 'a1', mimeType: 'text/csv', fileName: 'orders.csv', fileSize: 1_500_000 };

test('files have their size, whether they are stored or within the item', () => {
  const files = filesOf([{ binary: { csv: stored } }, {}, { binary: { note: { mimeType: 'text/plain', data: 'aGVsbG8h' } } }]);
  expect(files).toMatchObject([
    { label: '0 · csv', id: 'a1', fileName: 'orders.csv', bytes: 1_500_000 },
    { label: '2 · note', data: 'aGVsbG8h', fileName: 'note', bytes: 6 },
  ]);
});

test.each<[string, object, boolean]>([
  ['a small text file', {}, true],
  ['a large text file', { fileSize: 200_000_000 }, false],
  ['a text file of unknown size', { fileSize: undefined }, false],
  ['an SVG', { mimeType: 'image/svg+xml' }, false],
])('%s is loaded without a click: %p %p', (_what, change, isShown) => {
  const [file] = filesOf([{ binary: { csv: { ...stored, ...change } } }]);
  expect(file && hasPreview(file)).toBe(isShown);
});
