import type { NodeExample } from '../../testing/node-example.ts';

export const example: NodeExample = {
  shows: 'Totals by country.',
  parameters: {
    fieldsToSummarize: {
      values: [
        { aggregation: 'sum', field: 'total' },
        { aggregation: 'count', field: 'total' },
      ],
    },
    fieldsToSplitBy: 'country',
  },
  inputs: [
    [
      { country: 'DE', total: 5 },
      { country: 'FR', total: 1 },
      { country: 'DE', total: 2 },
    ],
  ],
  outputs: [
    [
      { country: 'DE', sum_total: 7, count_total: 2 },
      { country: 'FR', sum_total: 1, count_total: 1 },
    ],
  ],
};
