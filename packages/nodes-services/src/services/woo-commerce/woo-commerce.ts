import type { MethodContext, NodePropertyOption } from '@sluice/node-sdk';
import { defineService } from '../../shared/define-service.ts';
import { choicesFrom } from '../../shared/list-choices.ts';
import { sendAll } from '../../shared/paging.ts';
import { customer } from './customer.ts';
import { order } from './order.ts';
import { product } from './product.ts';
import { pageSize, pages, wooCommerceClient } from './woo-commerce-client.ts';

export const wooCommerce = defineService({
  displayName: 'WooCommerce',
  name: 'woo-commerce',
  version: 1,
  description: 'Reads and changes products, orders, and customers of a WooCommerce shop',
  credentials: [{ name: 'wooCommerceApi', required: true }],
  icon: 'fa:shopping-cart',
  iconColor: 'purple',
  client: wooCommerceClient,
  resources: { customer, order, product },
  initial: 'product',
  methods: {
    loadOptions: {
      getCategories: (context) => termsOf(context, '/products/categories'),
      getTags: (context) => termsOf(context, '/products/tags'),
    },
  },
});

async function termsOf(context: MethodContext, path: string): Promise<NodePropertyOption[]> {
  return choicesFrom(await sendAll(wooCommerceClient, context, { path, query: { per_page: pageSize } }, pages, 5_000));
}
