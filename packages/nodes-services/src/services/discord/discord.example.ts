import type { NodeExample } from '@sluice/nodes-base/testing';

export const example: NodeExample = {
  shows: 'Sends a message to a channel.',
  needs: 'a Discord bot that is a member of the server, and its token',
  notes: [
    'Setup: in the [developer portal](https://discord.com/developers/applications), create an application, copy the token under **Bot**,',
    'and open the URL of **OAuth2 > URL Generator** with the scope `bot` and the permissions *View Channels*, *Send Messages*,',
    '*Read Message History*, *Add Reactions*; *Manage Channels*, *Manage Messages*, and *Manage Roles* for the operations that need them.',
    'Listing members needs the **Server Members Intent**. Enable **Developer Mode** in the settings of Discord to copy IDs.',
    'A webhook needs no bot: create it in the settings of a channel, under **Integrations**.',
    '',
    'Discord limits: 2,000 characters, 10 embeds of 6,000 characters together, and 10 files of 10 MB together in a message; 50 requests per second.',
  ].join('\n'),
  parameters: {
    resource: 'message',
    guildId: { __rl: true, mode: 'id', value: '1' },
    channelId: { __rl: true, mode: 'id', value: '2' },
    content: 'Hello',
    options: {},
  },
  inputs: [[{}]],
  outputs: [[{ id: '7', channel_id: '2', content: 'Hello' }]],
};
