import type { NodeExample } from '@sluice/nodes-base/testing';

export const example: NodeExample = {
  shows: 'Starts when a deal changes.',
  needs: 'an API token of Pipedrive (Personal preferences → API) of an admin, or OAuth2',
  notes:
    'Activation registers a webhook (version 2) in Pipedrive, and deactivation removes it. Pipedrive sends a password with each request; others are refused with 401. Version 1 of the node outputs `current`, `previous`, and `event`, as earlier webhooks had them.',
  parameters: { action: 'change', entity: 'deal' },
  outputs: [
    [
      {
        data: { id: 5, title: 'Ten desks', value: 500 },
        previous: { value: 400 },
        meta: { action: 'change', entity: 'deal', entity_id: '5', id: 'n1', version: '2.0', webhook_id: '7' },
      },
    ],
  ],
};
