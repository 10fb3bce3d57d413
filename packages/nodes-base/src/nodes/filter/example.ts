import type { NodeExample } from '../../testing/node-example.ts';

export const example: NodeExample = {
  shows: 'Only adults stay; the second list is stored with the run for inspection.',
  parameters: {
    conditions: {
      options: { caseSensitive: true, typeValidation: 'strict', version: 2 },
      combinator: 'and',
      conditions: [{ leftValue: '={{ $json.age }}', rightValue: 18, operator: { type: 'number', operation: 'gte' } }],
    },
  },
  inputs: [
    [
      { name: 'Ada', age: 36 },
      { name: 'Tim', age: 9 },
    ],
  ],
  outputs: [[{ name: 'Ada', age: 36 }], [{ name: 'Tim', age: 9 }]],
};
