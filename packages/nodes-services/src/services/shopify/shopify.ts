import type { MethodContext, NodePropertyOption } from '@sluice/node-sdk';
import { defineService } from '../../shared/define-service.ts';
import { choicesFrom } from '../../shared/list-choices.ts';
import { linkPaging, sendAll } from '../../shared/paging.ts';
import { inventoryLevel } from './inventory-level.ts';
import { order } from './order.ts';
import { product } from './product.ts';
import { authentication, credentials, shopifyClient } from './shopify-client.ts';

export const shopify = defineService({
  displayName: 'Shopify',
  name: 'shopify',
  version: 1,
  description: 'Reads and changes orders, products, and inventory in Shopify',
  credentials,
  icon: 'fa:shopping-bag',
  iconColor: 'green',
  client: shopifyClient,
  leading: [authentication],
  resources: { inventoryLevel, order, product },
  initial: 'order',
  methods: {
    loadOptions: {
      getLocations: (context) => optionsOf(context, 'locations', 'name'),
      getProducts: (context) => optionsOf(context, 'products', 'title', { fields: 'id,title', limit: 250 }),
    },
  },
});

/** Maximum number of choices in an editor list. */
const maxOptions = 5_000;

async function optionsOf(
  context: MethodContext,
  kind: string,
  label: string,
  query: Record<string, string | number> = {},
): Promise<NodePropertyOption[]> {
  const records = await sendAll(shopifyClient, context, { path: `/${kind}.json`, query }, linkPaging(kind), maxOptions);
  return choicesFrom(records, label);
}
