import { list, number, text, toggle } from '@sluice/nodes-base/node-tools';
import type { Resource } from '../../shared/define-service.ts';
import { ownerId, visibleTo } from './contact.ts';
import { exactMatch, recordOperations, searchOperation } from './records.ts';

const prices = list('prices', 'Prices', 'price', [
  number('price', 'Price', 0, 'Price of one'),
  text('currency', 'Currency', 'Three letters of the currency'),
  number('cost', 'Cost', 0, 'Cost of one'),
]);

const products = recordOperations({
  noun: 'product',
  plural: 'products',
  required: [text('name', 'Name', 'The name')],
  fields: [
    text('code', 'Code', 'Code of the product'),
    text('description', 'Description', 'What it is'),
    toggle('is_linkable', 'Is Linkable', 'Whether it can be added to deals', { default: true }),
    ownerId,
    prices,
    number('tax', 'Tax', 0, 'Tax in percent'),
    text('unit', 'Unit', 'Unit in which it is sold'),
    visibleTo,
  ],
  filters: [],
});

/** Operations of version 2 of the node only. */
const sinceVersion2 = { versions: [2] };

/** https://developers.pipedrive.com/docs/api/v1/Products */
export const product: Resource = {
  displayName: 'Product',
  initial: 'getAll',
  operations: {
    ...products,
    create: { ...products.create, ...sinceVersion2 },
    delete: { ...products.delete, ...sinceVersion2 },
    update: { ...products.update, ...sinceVersion2 },
    search: { ...searchOperation('products', [exactMatch]), ...sinceVersion2 },
  },
};
