import type { NodeExample } from '../../testing/node-example.ts';

export const example: NodeExample = {
  shows: 'HTML becomes Markdown.',
  parameters: { html: '={{ $json.page }}', destinationKey: 'markdown' },
  inputs: [[{ page: '<h1>News</h1><p>Read <b>this</b>.</p>' }]],
  outputs: [[{ page: '<h1>News</h1><p>Read <b>this</b>.</p>', markdown: '# News\n\nRead **this**.' }]],
};
