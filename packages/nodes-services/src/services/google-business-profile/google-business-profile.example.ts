import type { NodeExample } from '@sluice/nodes-base/testing';

export const example: NodeExample = {
  shows: 'Lists the reviews of a business.',
  needs: 'a Google account that manages the business, connected by OAuth2 with the scope `business.manage`',
  notes:
    'Google must approve a Cloud project before it may use these APIs, and each of them must be enabled: My Business, Account Management, and Business Information.',
  parameters: {
    resource: 'review',
    operation: 'getAll',
    account: { __rl: true, mode: 'name', value: 'accounts/1' },
    location: { __rl: true, mode: 'name', value: 'locations/2' },
    limit: 1,
  },
  inputs: [[{}]],
  outputs: [[{ name: 'accounts/1/locations/2/reviews/r1', starRating: 'FIVE', comment: 'Great' }]],
};
