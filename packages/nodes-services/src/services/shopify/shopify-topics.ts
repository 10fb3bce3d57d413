import type { NodePropertyOption } from '@sluice/node-sdk';

/** Object → its events: https://shopify.dev/docs/api/webhooks */
const topics: Readonly<Record<string, string>> = {
  app: 'uninstalled',
  carts: 'create update',
  checkouts: 'create delete update',
  collection_listings: 'add remove update',
  collections: 'create delete update',
  customer_groups: 'create delete update',
  customers: 'create delete disable enable update',
  disputes: 'create update',
  domains: 'create destroy update',
  draft_orders: 'create delete update',
  fulfillment_events: 'create delete',
  fulfillments: 'create update',
  inventory_items: 'create delete update',
  inventory_levels: 'connect disconnect update',
  locations: 'activate create deactivate delete update',
  order_transactions: 'create',
  orders: 'cancelled create delete edited fulfilled paid partially_fulfilled updated',
  product_listings: 'add remove update',
  products: 'create delete update',
  profiles: 'create delete update',
  refunds: 'create',
  shop: 'update',
  subscription_contracts: 'create update',
  tender_transactions: 'create',
  themes: 'create delete publish update',
};

export const shopifyTopics: readonly NodePropertyOption[] = Object.entries(topics)
  .flatMap(([object, changes]) => changes.split(' ').map((change) => `${object}/${change}`))
  .map((value) => ({ value, name: value }));
