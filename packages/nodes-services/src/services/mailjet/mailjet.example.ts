import type { NodeExample } from '@sluice/nodes-base/testing';

export const example: NodeExample = {
  shows: 'Sends an email to two recipients.',
  needs: 'a Mailjet account with a verified sender, and its API key and secret key; for text messages, an SMS token',
  notes:
    'All recipients of an email see each other: use one item per recipient to avoid that. Files count toward the 15 MB that Mailjet accepts per email.',
  parameters: {
    fromEmail: 'team@example.com',
    toEmail: 'ada@example.com, grace@example.com',
    subject: 'Report',
    text: '={{ $json.report }}',
  },
  inputs: [[{ report: 'All systems work.' }]],
  outputs: [[{ Status: 'success', To: [{ Email: 'ada@example.com', MessageID: 1 }] }]],
};
