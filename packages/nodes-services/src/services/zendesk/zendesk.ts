import { choice, choices, where } from '@sluice/nodes-base/node-tools';
import { defineService } from '../../shared/define-service.ts';
import { ticket } from './ticket.ts';
import { organization, user } from './user.ts';
import { zendeskClient } from './zendesk-client.ts';

export const zendesk = defineService({
  displayName: 'Zendesk',
  name: 'zendesk',
  version: 1,
  description: 'Reads and changes tickets, users, and organizations in Zendesk',
  credentials: [
    { name: 'zendeskApi', required: true, ...where({ authentication: ['apiToken'] }) },
    { name: 'zendeskOAuth2Api', required: true, ...where({ authentication: ['oAuth2'] }) },
  ],
  icon: 'fa:headset',
  iconColor: 'green',
  client: zendeskClient,
  leading: [choice('authentication', 'Authentication', choices(['apiToken', 'API Token'], ['oAuth2', 'OAuth2']))],
  resources: { organization, ticket, user },
  initial: 'ticket',
});
