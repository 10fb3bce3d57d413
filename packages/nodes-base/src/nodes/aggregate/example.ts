import type { NodeExample } from '../../testing/node-example.ts';

export const example: NodeExample = {
  shows: 'The values of a field become a list.',
  parameters: {
    fieldsToAggregate: { fieldToAggregate: [{ fieldToAggregate: 'email', renameField: true, outputFieldName: 'emails' }] },
  },
  inputs: [[{ email: 'a@example.com' }, { email: 'b@example.com' }]],
  outputs: [[{ emails: ['a@example.com', 'b@example.com'] }]],
};
