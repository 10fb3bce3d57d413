import type { NodeExample } from '../../testing/node-example.ts';

export const example: NodeExample = {
  shows: 'Two lists of products: gone, the same, changed, new.',
  parameters: { mergeByFields: { values: [{ field1: 'sku', field2: 'sku' }] } },
  inputs: [
    [
      { sku: 1, price: 5 },
      { sku: 2, price: 6 },
      { sku: 3, price: 7 },
    ],
    [
      { sku: 2, price: 6 },
      { sku: 3, price: 8 },
      { sku: 4, price: 9 },
    ],
  ],
  outputs: [
    [{ sku: 1, price: 5 }],
    [{ sku: 2, price: 6 }],
    [{ keys: { sku: 3 }, same: { sku: 3 }, different: { price: { inputA: 7, inputB: 8 } } }],
    [{ sku: 4, price: 9 }],
  ],
};
