import type { NodeExample } from '@sluice/nodes-base/testing';

export const example: NodeExample = {
  shows: 'Sends an email.',
  needs: 'a Brevo account and its API key (SMTP & API → API keys)',
  notes: 'The sender must be verified at Brevo. An account may accept requests from known IP addresses only.',
  parameters: {
    sender: 'Shop <shop@example.com>',
    receipients: 'ada@example.com',
    subject: 'Your order',
    textContent: 'It is on its way.',
  },
  inputs: [[{}]],
  outputs: [[{ messageId: '<1@smtp.example>' }]],
};
