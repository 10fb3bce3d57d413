import { defineService } from '../../shared/define-service.ts';
import { airtopClient } from './airtop-client.ts';
import { extraction } from './extraction.ts';
import { interaction } from './interaction.ts';
import { session } from './session.ts';
import { browserWindow } from './window.ts';

export const airtop = defineService({
  displayName: 'Airtop',
  name: 'airtop',
  version: 1,
  description: 'Reads and operates web pages in Airtop browsers',
  credentials: [{ name: 'airtopApi', required: true }],
  icon: 'fa:globe',
  iconColor: 'blue',
  client: airtopClient,
  resources: { extraction, interaction, session, window: browserWindow },
  initial: 'session',
});
