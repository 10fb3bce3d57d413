import { defineService } from '../../shared/define-service.ts';
import { contact } from './contact.ts';
import { freshdeskClient } from './freshdesk-client.ts';
import { ticket } from './ticket.ts';

export const freshdesk = defineService({
  displayName: 'Freshdesk',
  name: 'freshdesk',
  version: 1,
  description: 'Reads and changes tickets and contacts in Freshdesk',
  credentials: [{ name: 'freshdeskApi', required: true }],
  icon: 'fa:headset',
  iconColor: 'green',
  client: freshdeskClient,
  resources: { contact, ticket },
  initial: 'ticket',
});
