import { choice, choices, where } from '@sluice/nodes-base/node-tools';
import { defineService } from '../../shared/define-service.ts';
import { conversations } from './channel.ts';
import { file } from './file.ts';
import { message } from './message.ts';
import { reaction } from './reaction.ts';
import { slackClient } from './slack-client.ts';
import { listMethods } from './slack-lists.ts';
import { users } from './user.ts';

export const slack = defineService({
  displayName: 'Slack',
  name: 'slack',
  version: [1, 2, 2.1, 2.2, 2.3, 2.4, 2.5, 2.6, 2.7],
  description: 'Sends messages and files to Slack, and reads channels, users, and reactions',
  credentials: [
    { name: 'slackApi', required: true, ...where({ authentication: ['accessToken'] }) },
    { name: 'slackOAuth2Api', required: true, ...where({ authentication: ['oAuth2'] }) },
  ],
  icon: 'fa:hashtag',
  iconColor: 'purple',
  client: slackClient,
  leading: [choice('authentication', 'Authentication', choices(['accessToken', 'Access Token'], ['oAuth2', 'OAuth2']))],
  resources: { channel: conversations, file, message, reaction, user: users },
  initial: 'message',
  methods: listMethods,
});
