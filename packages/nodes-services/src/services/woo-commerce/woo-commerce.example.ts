import type { NodeExample } from '@sluice/nodes-base/testing';

export const example: NodeExample = {
  shows: 'Creates a product for each item.',
  needs:
    'a shop with WooCommerce, reachable by https, and a key with the permission Read/Write (WooCommerce → Settings → Advanced → REST API)',
  notes:
    'Uses version 3 of the REST API, which requires pretty permalinks (WordPress → Settings → Permalinks). If the server of the shop removes the header `Authorization`, switch on "Include Credentials in Query" in the credential. Categories and tags are IDs. Deleted products and orders are moved to the trash; customers are deleted for good. Prices are text with a decimal point, in the currency of the shop. A list of more than 100 elements without an order is by ID.',
  parameters: {
    operation: 'create',
    name: '={{ $json.name }}',
    additionalFields: { regularPrice: '={{ $json.price }}', sku: '={{ $json.sku }}', status: 'draft' },
    imagesUi: { imagesValues: [{ src: '={{ $json.photo }}', alt: '={{ $json.name }}' }] },
  },
  inputs: [[{ name: 'Mug', price: 9.5, sku: 'M-1', photo: 'https://example.com/mug.png' }]],
  outputs: [[{ id: 7, name: 'Mug' }]],
};
