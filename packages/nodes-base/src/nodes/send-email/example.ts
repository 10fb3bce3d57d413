import type { NodeExample } from '../../testing/node-example.ts';

export const example: NodeExample = {
  shows: 'A message to two people; the output is the response of the server.',
  needs: 'A credential of type `smtp`',
  parameters: {
    fromEmail: 'Shop <shop@example.com>',
    toEmail: 'ada@example.com, bob@example.com',
    subject: 'Your order',
    html: '<p>It is on its way.</p>',
  },
  inputs: [[{}]],
};
