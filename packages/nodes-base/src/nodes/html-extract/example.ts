import type { NodeExample } from '../../testing/node-example.ts';

export const example: NodeExample = {
  shows: 'The text of a heading.',
  parameters: { extractionValues: { values: [{ key: 'title', cssSelector: 'h1' }] } },
  inputs: [[{ data: '<h1>News</h1><p>…</p>' }]],
  outputs: [[{ title: 'News' }]],
};
