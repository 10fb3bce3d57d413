import { choice, choices, where } from '@sluice/nodes-base/node-tools';
import { defineService } from '../../shared/define-service.ts';
import { activity } from './activity.ts';
import { organization, person } from './contact.ts';
import { deal, dealActivity, dealProduct } from './deal.ts';
import { file } from './file.ts';
import { lead, note } from './lead.ts';
import { pipedriveClient } from './pipedrive-client.ts';
import { pipedriveOptions } from './pipedrive-options.ts';
import { product } from './product.ts';

export const pipedrive = defineService({
  displayName: 'Pipedrive',
  name: 'pipedrive',
  version: [1, 2],
  description: 'Reads and changes deals, leads, persons, and organizations in Pipedrive',
  credentials: [
    { name: 'pipedriveApi', required: true, ...where({ authentication: ['apiToken'] }) },
    { name: 'pipedriveOAuth2Api', required: true, ...where({ authentication: ['oAuth2'] }) },
  ],
  icon: 'fa:handshake',
  iconColor: 'green',
  client: pipedriveClient,
  leading: [choice('authentication', 'Authentication', choices(['apiToken', 'API Token'], ['oAuth2', 'OAuth2']))],
  resources: { activity, deal, dealActivity, dealProduct, file, lead, note, organization, person, product },
  initial: 'deal',
  methods: { loadOptions: pipedriveOptions },
});
