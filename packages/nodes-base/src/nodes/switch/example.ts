import type { NodeExample } from '../../testing/node-example.ts';

export const example: NodeExample = {
  shows: 'Each kind goes to its own output, the rest to an extra one.',
  parameters: {
    rules: {
      values: [
        {
          conditions: {
            options: { caseSensitive: true, typeValidation: 'strict', version: 2 },
            combinator: 'and',
            conditions: [
              { leftValue: '={{ $json.kind }}', rightValue: 'order', operator: { type: 'string', operation: 'equals' } },
            ],
          },
        },
        {
          conditions: {
            options: { caseSensitive: true, typeValidation: 'strict', version: 2 },
            combinator: 'and',
            conditions: [
              { leftValue: '={{ $json.kind }}', rightValue: 'refund', operator: { type: 'string', operation: 'equals' } },
            ],
          },
        },
      ],
    },
    options: { fallbackOutput: 'extra' },
  },
  inputs: [[{ kind: 'refund' }, { kind: 'order' }, { kind: 'spam' }]],
  outputs: [[{ kind: 'order' }], [{ kind: 'refund' }], [{ kind: 'spam' }]],
};
