import type { NodeExample } from '@sluice/nodes-base/testing';

export const example: NodeExample = {
  shows: 'Sends a message.',
  needs: 'an app registration at Microsoft Entra, and a connected mailbox',
  notes: [
    'Setup: in the [Entra admin center](https://entra.microsoft.com), register an app, add the redirect URL of the credential as a **Web** platform,',
    'create a client secret, and store both in the credential. Delegated permissions: `Mail.ReadWrite`, `Mail.Send`, `Calendars.ReadWrite`,',
    '`MailboxSettings.Read`, and `offline_access`. For a shared mailbox, name it in the credential.',
    '',
    'Microsoft limits: 10,000 requests in 10 minutes for a mailbox, 4 at once; 3 MB of attachments in a message that is sent in one request.',
    'The node waits as long as Microsoft requests. A message gets a new ID when it is moved.',
  ].join('\n'),
  parameters: { toRecipients: 'ada@example.com', subject: 'Hi', bodyContent: 'Hello', additionalFields: {} },
  inputs: [[{}]],
  outputs: [[{ success: true }]],
};
