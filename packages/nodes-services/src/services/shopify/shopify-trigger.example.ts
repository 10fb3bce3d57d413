import type { NodeExample } from '@sluice/nodes-base/testing';

export const example: NodeExample = {
  shows: 'Starts the workflow for each new order.',
  needs:
    'a custom app of the shop (Shopify admin → Settings → Apps and sales channels → Develop apps) with the scope of the topic, such as `read_orders`, its access token and its API secret key in the credential, and `PUBLIC_URL` with https',
  notes:
    'The webhook is registered when the workflow is activated and removed when it is deactivated. Requests that are not signed with the secret key of the app are rejected; without the key, the workflow cannot be activated. An event that Shopify sends again within 24 hours starts nothing.',
  parameters: { authentication: 'accessToken', topic: 'orders/create' },
  outputs: [[{ id: 450, email: 'ada@example.com', total_price: '10.00' }]],
};
