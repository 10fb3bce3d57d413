import type { MethodContext, NodePropertyOption } from '@sluice/node-sdk';
import { defineService } from '../../shared/define-service.ts';
import { objectOf, objectsOf } from '../../shared/json-values.ts';
import { choicesFrom } from '../../shared/list-choices.ts';
import { sendAll } from '../../shared/paging.ts';
import { contact } from './contact.ts';
import { list } from './list.ts';
import { mail } from './mail.ts';
import { pages, sendGridClient } from './send-grid-client.ts';

const maxChoices = 1_000;

export const sendGrid = defineService({
  displayName: 'SendGrid',
  name: 'send-grid',
  version: 1,
  description: 'Sends email, and manages contacts and lists in SendGrid',
  credentials: [{ name: 'sendGridApi', required: true }],
  icon: 'fa:envelope',
  iconColor: 'blue',
  client: sendGridClient,
  resources: { contact, list, mail },
  initial: 'list',
  methods: {
    loadOptions: {
      getCustomFields: async (context) => {
        const response = objectOf(await sendGridClient.send(context, { path: '/marketing/field_definitions' }));
        return choicesFrom(objectsOf(response['custom_fields']));
      },
      getListIds: (context) => named(context, '/marketing/lists', { page_size: 100 }),
      getTemplateIds: (context) => named(context, '/templates', { generations: 'dynamic', page_size: 200 }),
    },
  },
});

async function named(
  context: MethodContext,
  path: string,
  query: Record<string, string | number>,
): Promise<NodePropertyOption[]> {
  return choicesFrom(await sendAll(sendGridClient, context, { path, query }, pages, maxChoices));
}
