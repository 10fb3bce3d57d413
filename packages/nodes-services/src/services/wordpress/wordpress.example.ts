import type { NodeExample } from '@sluice/nodes-base/testing';

export const example: NodeExample = {
  shows: 'Creates a draft of a post.',
  needs: 'a WordPress site, and an application password of a user (Users → Profile → Application Passwords)',
  notes: [
    'Application passwords need https. They have no scopes: the role of the user decides, such as Author for own posts, Editor for pages and posts of others, and',
    'Administrator for users. WordPress has no request limit, but its host may have a limit: the node waits when the host requests it. Lists are read in pages of 100.',
  ].join('\n'),
  parameters: {
    title: '={{ $json.title }}',
    additionalFields: { content: '={{ $json.text }}', status: 'draft', categories: [3] },
  },
  inputs: [[{ title: 'News', text: '<p>Hello</p>' }]],
  outputs: [[{ id: 7, status: 'draft' }]],
};
