import { credentialText, type JsonObject, type MethodContext } from '@sluice/node-sdk';
import { defineService } from '../../shared/define-service.ts';
import { asText } from '../../shared/json-values.ts';
import { cursorPaging, sendAll } from '../../shared/paging.ts';
import { media } from './media.ts';
import { message } from './message.ts';
import { whatsAppClient } from './whats-app-client.ts';

export const whatsApp = defineService({
  displayName: 'WhatsApp Business Cloud',
  name: 'whats-app',
  version: [1, 1.1],
  description: 'Sends messages and files with the WhatsApp Business Platform',
  credentials: [{ name: 'whatsAppApi', required: true }],
  icon: 'fa:comment',
  iconColor: 'green',
  client: whatsAppClient,
  resources: { message, media },
  methods: {
    loadOptions: {
      getSendPhoneIdOptions: async (context) =>
        (await listOf(context, 'phone_numbers')).map(
          ({ id = '', display_phone_number: number = '', verified_name: name = '' }) => ({
            name: `${name} (${number})`,
            value: asText(id),
          }),
        ),
      getTemplates: async (context) =>
        (await listOf(context, 'message_templates')).map(({ name = '', language = '' }) => ({
          name: `${name} (${language})`,
          value: `${name}|${language}`,
        })),
    },
  },
});

/** A list of the business account in the credential. */
async function listOf(context: MethodContext, edge: string): Promise<JsonObject[]> {
  const account = credentialText(await context.credentials('whatsAppApi'), 'businessAccountId');
  const request = { path: `/${encodeURIComponent(account)}/${edge}`, query: { limit: 100 } };
  return sendAll(whatsAppClient, context, request, cursorPaging('data', 'paging.cursors.after', 'after'), 1_000);
}
