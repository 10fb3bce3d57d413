import { randomBytes } from 'node:crypto';
import type { NodeType, WebhookContext, WebhookMethods } from '@sluice/node-sdk';
import { choice, choices, collection, names, toggle } from '@sluice/nodes-base/node-tools';
import { objectOf, textOf } from '../../shared/json-values.ts';
import { deliveryOf, isSecret, refuseRequest } from '../../shared/signed-request.ts';
import { method, telegramClient } from './telegram-client.ts';
import { updateItem } from './update-item.ts';

/** Update kinds in https://core.telegram.org/bots/api#update */
const updates = choices(
  ['*', '*', 'All updates'],
  ['callback_query', 'Callback Query', 'A button of an inline keyboard was pressed'],
  ['channel_post', 'Channel Post', 'A post in a channel'],
  ['edited_channel_post', 'Edited Channel Post', 'A post that was edited'],
  ['edited_message', 'Edited Message', 'A message that was edited'],
  ['inline_query', 'Inline Query', 'An inline query'],
  ['message', 'Message', 'A message'],
  ['poll', 'Poll', 'A poll has new votes or was closed'],
  ['pre_checkout_query', 'Pre-Checkout Query', 'A payment is about to be made'],
  ['shipping_query', 'Shipping Query', 'A shipping address was given'],
);

/**
 * Receives a bot's updates by its webhook. A bot has only one webhook: the last activated workflow
 * receives the updates.
 */
export const telegramTrigger: NodeType = {
  description: {
    displayName: 'Telegram Trigger',
    name: 'telegram-trigger',
    group: ['trigger'],
    version: [1, 1.1, 1.2, 1.3, 1.4, 1.5],
    description: 'Starts the workflow when a Telegram bot receives a message or another update',
    defaults: { name: 'Telegram Trigger' },
    inputs: [],
    outputs: ['main'],
    icon: 'fa:paper-plane',
    iconColor: 'blue',
    credentials: [{ name: 'telegramApi', required: true }],
    webhooks: [{ name: 'default', httpMethod: 'POST', responseMode: 'onReceived', path: 'webhook' }],
    properties: [
      {
        displayName: 'Trigger On',
        name: 'updates',
        type: 'multiOptions',
        default: [],
        required: true,
        options: updates,
        description: 'Updates that start an execution',
      },
      collection('additionalFields', 'Additional Fields', [
        toggle('download', 'Download Images/Files', 'Whether to download the photo, video, or document of a message'),
        choice(
          'imageSize',
          'Image Size',
          choices(['small', 'Small'], ['medium', 'Medium'], ['large', 'Large'], ['extraLarge', 'Extra Large']),
          { default: 'large', description: 'Size of photos that are downloaded' },
        ),
        names('chatIds', 'Restrict to Chat IDs', 'Only updates of these chats start executions'),
        names('userIds', 'Restrict to User IDs', 'Only updates of these users start executions'),
      ]),
    ],
  },
  webhookMethods: { default: registration() },
  webhook: async (context) => {
    const token = context.request.headers['x-telegram-bot-api-secret-token'];
    if (!isSecret(token, textOf(context.staticData['secret']))) return refuseRequest(context, 'the secret token is wrong');
    const item = await updateItem(context);
    return item ? { workflowData: [[item]], ...deliveryOf(objectOf(context.request.body)['update_id']) } : {};
  },
};

function registration(): WebhookMethods {
  return {
    checkExists: async (context) =>
      typeof context.staticData['secret'] === 'string' && (await registeredUrl(context)) === context.webhookUrl(),
    checkAddress: async (context) => (await registeredUrl(context)) === context.webhookUrl(),
    async create(context) {
      const secret = randomBytes(32).toString('base64url');
      const kinds = [context.parameter<string[]>('updates', [])].flat();
      const allowed = kinds.includes('*') ? [] : kinds;
      await telegramClient.send(
        context,
        method('setWebhook', { url: context.webhookUrl(), allowed_updates: allowed, secret_token: secret }),
      );
      context.staticData['secret'] = secret;
      return true;
    },
    /** Keeps the webhook if another workflow has replaced it. */
    async delete(context) {
      if ((await registeredUrl(context)) === context.webhookUrl())
        await telegramClient.send(context, method('deleteWebhook', {}));
      delete context.staticData['secret'];
      return true;
    },
  };
}

async function registeredUrl(context: WebhookContext): Promise<string | undefined> {
  const info = (await telegramClient.send(context, method('getWebhookInfo', {}))) as { result?: { url?: string } };
  return info.result?.url;
}
