import type { NodeExample } from '@sluice/nodes-base/testing';

export const example: NodeExample = {
  shows: 'Creates a draft of a post.',
  needs: 'a WordPress site, and an application password of a user (Users → Profile → Application Passwords)',
  parameters: {
    title: '={{ $json.title }}',
    additionalFields: { content: '={{ $json.text }}', status: 'draft', categories: [3] },
  },
  inputs: [[{ title: 'News', text: '<p>Hello</p>' }]],
  outputs: [[{ id: 7, status: 'draft' }]],
};
