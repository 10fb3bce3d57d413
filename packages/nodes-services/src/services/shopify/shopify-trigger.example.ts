import type { NodeExample } from '@sluice/nodes-base/testing';

export const example: NodeExample = {
  shows: 'Starts the workflow for each new order.',
  needs:
    'a custom app of the shop (Shopify admin → Settings → Apps and sales channels → Develop apps) with the scope of the topic, such as `read_orders`, its access token and its API secret key in the credential, and `PUBLIC_URL` with https',
  notes:
    'The webhook is registered when the workflow is activated and removed when it is deactivated. Requests that are not signed with the secret key of the app are refused; without the key, the workflow cannot be activated. Shopify may send an event twice: compare its `id` if that matters.',
  parameters: { authentication: 'accessToken', topic: 'orders/create' },
  outputs: [[{ id: 450, email: 'ada@example.com', total_price: '10.00' }]],
};
