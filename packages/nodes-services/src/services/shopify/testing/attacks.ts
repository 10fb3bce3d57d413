import { type Attacks, accepted } from '../../../testing/attack.ts';

const many = <T>(entry: (id: number) => T) => Array.from({ length: 100_000 }, (_, id) => entry(id));

export const attacks: Attacks = {
  shopify: () => [
    {
      name: 'many lines',
      parameters: { operation: 'create', limeItemsUi: { lineItemValues: many((id) => ({ variantId: `${id}`, quantity: 1 })) } },
      answer: accepted,
    },
    {
      name: 'many images and options',
      parameters: {
        resource: 'product',
        operation: 'create',
        title: 'a',
        additionalFields: {
          images: many((id) => ({ src: `https://a.example/${id}`, variant_ids: '1,2' })),
          productOptions: { option: many((id) => ({ name: `o${id}`, value: 'a,b' })) },
        },
      },
      answer: accepted,
    },
    {
      name: 'a long list of tags',
      parameters: { resource: 'product', operation: 'create', title: 'a', additionalFields: { tags: many((id) => `t${id}`) } },
      answer: accepted,
    },
    {
      name: 'many reasons of a refusal',
      parameters: { operation: 'get', orderId: '1' },
      status: 422,
      answer: () => `{"errors":{${many((id) => `"f${id}":["x"]`).join()}}}`,
    },
  ],
  'shopify-trigger': () => [],
};
