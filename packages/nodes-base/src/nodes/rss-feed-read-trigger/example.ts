import type { NodeExample } from '../../testing/node-example.ts';

export const example: NodeExample = {
  shows: 'Every hour, the entries that have come to the feed since.',
  needs: 'a feed',
  parameters: { pollTimes: { item: [{ mode: 'everyHour' }] }, feedUrl: 'https://example.com/feed.xml' },
  outputs: [[{ title: 'Second', link: 'https://example.com/2' }]],
};
