import { type Attacks, located, manyObjects } from '../../../testing/attack.ts';

const place = { account: located('accounts/1', 'name'), location: located('locations/2', 'name') };

export const attacks: Attacks = {
  'google-business-profile': () => [
    {
      name: 'many reviews',
      parameters: { resource: 'review', operation: 'getAll', ...place, returnAll: true },
      answer: () => `{"reviews":${manyObjects(300_000)},"nextPageToken":"x"}`,
    },
    {
      name: 'a long name',
      parameters: { resource: 'review', operation: 'get', ...place, review: '/'.repeat(5_000_000) },
      answer: () => '{}',
    },
  ],
};
