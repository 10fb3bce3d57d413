import { type Attacks, accepted } from '../../../testing/attack.ts';

export const attacks: Attacks = {
  quickbooks: () => [
    {
      name: 'many lines',
      parameters: {
        resource: 'invoice',
        operation: 'create',
        CustomerRef: '1',
        Line: Array.from({ length: 10_000 }, () => ({ Amount: 1, itemId: '1' })),
      },
      answer: accepted,
    },
    {
      name: 'a report with many rows',
      parameters: { resource: 'transaction', operation: 'getReport' },
      answer: () =>
        `{"Columns":{"Column":[{"ColTitle":"a"}]},"Rows":{"Row":[${'{"ColData":[{"value":"x"}]},'.repeat(300_000)}{}]}}`,
    },
    {
      name: 'many objects',
      parameters: { resource: 'customer', operation: 'getAll', returnAll: true },
      answer: () => `{"QueryResponse":{"Customer":[${'{"Id":"1"},'.repeat(300_000)}{}]}}`,
    },
  ],
};
