import { type Attacks, manyObjects } from '../../../testing/attack.ts';

export const attacks: Attacks = {
  salesforce: () => [
    {
      name: 'many records',
      parameters: { resource: 'account', operation: 'getAll', returnAll: true, options: {} },
      answer: () => `{"records":${manyObjects(300_000)},"done":false,"nextRecordsUrl":"/services/data/v62.0/query/1"}`,
    },
    {
      name: 'many custom fields',
      parameters: {
        resource: 'account',
        operation: 'create',
        name: 'a',
        additionalFields: {
          customFieldsUi: {
            customFieldsValues: Array.from({ length: 100_000 }, (_, id) => ({ fieldId: `f${id}`, value: 'x' })),
          },
        },
      },
      answer: () => '{}',
    },
    {
      name: 'a long value of a condition',
      parameters: {
        resource: 'account',
        operation: 'getAll',
        options: { conditionsUi: { conditionValues: [{ field: 'Name', operation: 'equal', value: "'".repeat(2_000_000) }] } },
      },
      answer: () => `{"fields":${manyObjects(100_000)}}`,
    },
    {
      name: 'many errors',
      parameters: { resource: 'account', operation: 'get', accountId: '1' },
      status: 400,
      answer: () => `[{"fields":[${'"a",'.repeat(900_000)}"a"]}]`,
    },
  ],
  'salesforce-trigger': () => [
    {
      name: 'many records',
      parameters: { triggerOn: 'leadCreated' },
      cursor: { at: '2026-01-01T00:00:00.000+0000', id: 'a' },
      answer: () => `{"records":[${'{"Id":"a","CreatedDate":"2026-01-01T00:00:00.000+0000"},'.repeat(100_000)}{"Id":"b"}]}`,
    },
  ],
};
