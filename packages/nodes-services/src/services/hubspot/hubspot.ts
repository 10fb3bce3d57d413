import { choice, choices, where } from '@sluice/nodes-base/node-tools';
import { defineService } from '../../shared/define-service.ts';
import { company } from './company.ts';
import { contact } from './contact.ts';
import { contactList } from './contact-list.ts';
import { deal } from './deal.ts';
import { engagement } from './engagement.ts';
import { hubspotClient } from './hubspot-client.ts';
import { ticket } from './ticket.ts';

export const hubspot = defineService({
  displayName: 'HubSpot',
  name: 'hubspot',
  version: [1, 2, 2.1, 2.2],
  defaultVersion: 2.2,
  description: 'Reads and changes contacts, companies, deals, engagements, and tickets in HubSpot',
  credentials: [
    { name: 'hubspotApi', required: true, ...where({ authentication: ['apiKey'] }) },
    { name: 'hubspotAppToken', required: true, ...where({ authentication: ['appToken'] }) },
    { name: 'hubspotOAuth2Api', required: true, ...where({ authentication: ['oAuth2'] }) },
  ],
  icon: 'fa:address-book',
  iconColor: 'orange',
  client: hubspotClient,
  leading: [
    choice('authentication', 'Authentication', choices(['apiKey', 'API Key'], ['appToken', 'App Token'], ['oAuth2', 'OAuth2'])),
  ],
  resources: { company, contact, contactList, deal, engagement, ticket },
  initial: 'contact',
  formerInitial: { versions: [1], resource: 'deal' },
});
