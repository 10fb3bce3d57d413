import type { NodeExample } from '@sluice/nodes-base/testing';

export const example: NodeExample = {
  shows: 'Saves a page as a bookmark with two tags.',
  needs: 'a Raindrop.io account, and an app for OAuth2 (Settings → Integrations → For Developers)',
  notes:
    'The collection `-1` is “Unsorted”. Raindrop allows 120 requests per minute for each user. With “Parse Metadata”, Raindrop reads title and pictures of the page in the background, after the node has run.',
  parameters: {
    resource: 'bookmark',
    operation: 'create',
    collectionId: '-1',
    link: '={{ $json.url }}',
    additionalFields: { title: 'Example', tags: 'news, later' },
  },
  inputs: [[{ url: 'https://example.com/' }]],
  outputs: [[{ _id: 7, link: 'https://example.com/', title: 'Example', tags: ['news', 'later'] }]],
};
