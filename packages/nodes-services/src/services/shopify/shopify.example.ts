import type { NodeExample } from '@sluice/nodes-base/testing';

export const example: NodeExample = {
  shows: 'Creates a product for each item.',
  needs:
    'a shop and a custom app (Shopify admin → Settings → Apps and sales channels → Develop apps) with the scopes `write_products` and `read_products`, for orders `write_orders` and `read_orders`, for inventory `write_inventory`, `read_inventory`, and `read_locations`; its Admin API access token is shown once, when the app is installed',
  notes:
    'Orders that are older than 60 days need the scope `read_all_orders`. A shop accepts 2 requests per second, and 40 at once; after more, the node waits as long as Shopify requests.',
  parameters: {
    authentication: 'accessToken',
    resource: 'product',
    operation: 'create',
    title: '={{ $json.name }}',
    additionalFields: { vendor: 'Acme', tags: 'new, sale', images: [{ src: '={{ $json.photo }}' }] },
  },
  inputs: [[{ name: 'Mug', photo: 'https://acme.example/mug.png' }]],
  outputs: [[{ id: 7, title: 'Mug' }]],
};
