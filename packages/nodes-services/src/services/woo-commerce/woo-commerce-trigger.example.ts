import type { NodeExample } from '@sluice/nodes-base/testing';

export const example: NodeExample = {
  shows: 'Starts the workflow for each new order.',
  needs:
    'a shop with WooCommerce, a key with the permission Read/Write of a shop manager (WooCommerce → Settings → Advanced → REST API), and `PUBLIC_URL` with https',
  notes:
    'The webhook is registered when the workflow is activated, with a secret that only the shop and this workflow know, and removed when it is deactivated. Requests that are not signed with the secret are rejected. WooCommerce sends an event once, and disables a webhook after five failures in a row. Events are sent by the scheduled actions of the shop, which may take minutes in a shop without visitors.',
  parameters: { event: 'order.created' },
  outputs: [[{ id: 450, status: 'processing', total: '19.00' }]],
};
