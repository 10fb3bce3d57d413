import type { NodeExample } from '../../testing/node-example.ts';

export const example: NodeExample = {
  shows: 'One field by name, others by a pattern.',
  parameters: {
    keys: { key: [{ currentKey: 'mail', newKey: 'contact.email' }] },
    additionalOptions: { regexReplacement: { replacements: [{ searchRegex: '^cust_', replaceRegex: '' }] } },
  },
  inputs: [[{ mail: 'a@example.com', cust_id: 7 }]],
  outputs: [[{ id: 7, contact: { email: 'a@example.com' } }]],
};
