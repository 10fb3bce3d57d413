import type { NodeExample } from '../../testing/node-example.ts';

export const example: NodeExample = {
  shows: 'The final page of a form. Items pass through.',
  parameters: {
    operation: 'completion',
    respondWith: 'text',
    completionTitle: 'Thank you',
    completionMessage: '=We have sent a mail to <b>{{ $json.email }}</b>.',
  },
  inputs: [[{ email: 'ada@example.com' }]],
  outputs: [[{ email: 'ada@example.com' }]],
};
