import type { NodeExample } from '../../testing/node-example.ts';

export const example: NodeExample = {
  shows: 'A title and the addresses of all links.',
  parameters: {
    operation: 'extractHtmlContent',
    dataPropertyName: 'page',
    extractionValues: {
      values: [
        { key: 'title', cssSelector: 'h1' },
        { key: 'links', cssSelector: 'a', returnValue: 'attribute', attribute: 'href', returnArray: true },
      ],
    },
  },
  inputs: [[{ page: '<h1>News</h1><a href="/1">One</a><a href="/2">Two</a>' }]],
  outputs: [[{ title: 'News', links: ['/1', '/2'] }]],
};
