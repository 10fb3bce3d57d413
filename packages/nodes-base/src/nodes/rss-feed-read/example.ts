import type { NodeExample } from '../../testing/node-example.ts';

export const example: NodeExample = {
  shows: 'Each entry of a feed becomes an item.',
  parameters: { url: 'https://example.com/feed.xml' },
  inputs: [[{}]],
  response: {
    status: 200,
    text: `<rss version="2.0"><channel><title>News</title>
  <item>
    <title>First</title>
    <link>https://example.com/1</link>
    <pubDate>Tue, 05 Mar 2024 07:08:09 GMT</pubDate>
    <description>&lt;p&gt;All is well&lt;/p&gt;</description>
  </item>
</channel></rss>`,
  },
  outputs: [
    [
      {
        title: 'First',
        link: 'https://example.com/1',
        pubDate: 'Tue, 05 Mar 2024 07:08:09 GMT',
        content: '<p>All is well</p>',
        contentSnippet: 'All is well',
        isoDate: '2024-03-05T07:08:09.000Z',
      },
    ],
  ],
};
