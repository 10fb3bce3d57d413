import type { NodeExample } from '@sluice/nodes-base/testing';

export const example: NodeExample = {
  shows: 'Sends a message to a chat.',
  needs: 'an app registration at Microsoft Entra, and a connected work account',
  notes: [
    'Setup: register an app in the [Entra admin center](https://entra.microsoft.com) with the redirect URL of the credential as a **Web** platform,',
    'the delegated permissions `Chat.ReadWrite`, `ChannelMessage.Send`, `ChannelMessage.Read.All`, `Group.ReadWrite.All`, `User.Read.All`, and',
    '`offline_access`, and a client secret. An administrator must consent to some of them. Tasks of Planner are not available in this node.',
    '',
    'Limits: 28 KB for a message, and 2 messages per second to a chat. The node waits as long as Microsoft requests.',
  ].join('\n'),
  parameters: { resource: 'chatMessage', chatId: '19:c@thread.v2', message: 'Hello', options: {} },
  inputs: [[{}]],
  outputs: [[{ id: 'm1' }]],
};
