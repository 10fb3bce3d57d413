import { expect, test } from '@jest/globals';
import { runNode } from '../../testing/fake-context.ts';
import { htmlExtract } from './html-extract.ts';

test('html extract 1 gives the text as it stands, without line breaks for blocks', async () => {
  const parameters = { dataPropertyName: 'page', extractionValues: { values: [{ key: 'all', cssSelector: 'body' }] } };
  expect(await runNode(htmlExtract, { json: [{ page: '<p>a</p><p>b</p>' }], parameters })).toEqual([
    [{ json: { all: 'ab' }, pairedItem: { item: 0 } }],
  ]);
});
