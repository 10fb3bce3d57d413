import { expect, test } from '@jest/globals';
import { runNode } from '../../testing/fake-context.ts';
import { htmlExtract } from './html-extract.ts';

test('html extract 1 returns the text as written, without line breaks for blocks', async () => {
  const parameters = { dataPropertyName: 'page', extractionValues: { values: [{ key: 'all', cssSelector: 'body' }] } };
  expect(await runNode(htmlExtract, { json: [{ page: '<p>a</p><p>b</p>' }], parameters })).toEqual([
    [{ json: { all: 'ab' }, pairedItem: { item: 0 } }],
  ]);
});

test.each([
  [{}, 'a'],
  [{ trimValues: false }, ' a '],
  [{ trimValues: false, cleanUpText: true }, ' a '],
])('html extract 1 trims values by default: %j', async (options, expected) => {
  const parameters = { extractionValues: { values: [{ key: 'x', cssSelector: 'p' }] }, options };
  const [items] = await runNode(htmlExtract, { json: [{ data: '<p> a </p>' }], parameters });
  expect(items?.[0]?.json).toEqual({ x: expected });
});

test('html extract 1 returns empty text for missing text', async () => {
  const parameters = { extractionValues: { values: [{ key: 'x', cssSelector: 'h1' }] } };
  const [items] = await runNode(htmlExtract, { json: [{ data: '<p>a</p>' }], parameters });
  expect(items?.[0]?.json).toEqual({ x: '' });
});
