import type { NodeExample } from '@sluice/nodes-base/testing';

export const example: NodeExample = {
  shows: 'Changes the status of rows by their ID.',
  needs:
    'a Supabase project with the table `tasks`, and a credential with the URL of the project and its service role secret (project settings → API keys)',
  notes:
    'The service role secret bypasses row-level security policies. Without a sort order, the database determines the order of a list. Plans limit transfer, not requests; if Supabase temporarily rejects a request, the node waits.',
  parameters: {
    operation: 'update',
    tableId: 'tasks',
    filters: { conditions: [{ keyName: 'id', condition: 'eq', keyValue: '={{ $json.id }}' }] },
    fieldsUi: { fieldValues: [{ fieldId: 'status', fieldValue: 'done' }] },
  },
  inputs: [[{ id: 1 }]],
  outputs: [[{ id: 1, status: 'done' }]],
};
