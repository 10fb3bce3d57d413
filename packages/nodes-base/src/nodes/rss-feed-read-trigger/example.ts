import type { NodeExample } from '../../testing/node-example.ts';

export const example: NodeExample = {
  shows: 'Every hour, the new entries of the feed.',
  needs: 'a feed',
  parameters: { pollTimes: { item: [{ mode: 'everyHour' }] }, feedUrl: 'https://example.com/feed.xml' },
  outputs: [[{ title: 'Second', link: 'https://example.com/2' }]],
};
