import {
  type JsonObject,
  NodeOperationError,
  type NodeType,
  optionalCredentialText,
  type WebhookContext,
  type WebhookMethods,
} from '@sluice/node-sdk';
import { asText, objectOf } from '../../shared/json-values.ts';
import { linkPaging, sendAll } from '../../shared/paging.ts';
import { deliveryOf, isSigned, refuseRequest } from '../../shared/signed-request.ts';
import { accountOf, authentication, credentials, shopifyClient } from './shopify-client.ts';
import { shopifyTopics } from './shopify-topics.ts';

/** Receives a shop's events by a webhook. */
export const shopifyTrigger: NodeType = {
  description: {
    displayName: 'Shopify Trigger',
    name: 'shopify-trigger',
    group: ['trigger'],
    version: 1,
    description: 'Starts the workflow when something happens in a Shopify shop',
    defaults: { name: 'Shopify Trigger' },
    inputs: [],
    outputs: ['main'],
    icon: 'fa:shopping-bag',
    iconColor: 'green',
    credentials,
    webhooks: [{ name: 'default', httpMethod: 'POST', responseMode: 'onReceived', path: 'webhook' }],
    properties: [
      authentication,
      {
        displayName: 'Topic',
        name: 'topic',
        type: 'options',
        default: '',
        required: true,
        options: shopifyTopics,
        description: 'Event that starts an execution',
      },
    ],
  },
  webhookMethods: { default: registration() },
  async webhook(context) {
    const { headers, body } = context.request;
    const signature = headers['x-shopify-hmac-sha256'];
    if (!isSigned(context, { secret: await secretOf(context), signature, encoding: 'base64' })) return refuseRequest(context);
    if (headers['x-shopify-topic'] !== topicOf(context)) return {};
    return { workflowData: [[{ json: objectOf(body) }]], ...deliveryOf(headers['x-shopify-event-id']) };
  },
};

const path = '/webhooks.json';

function registration(): WebhookMethods {
  return {
    async checkExists(context) {
      // Without the secret, `create` explains what is missing.
      if ((await secretOf(context)) === '') return false;
      const records = await registered(context);
      return records.length === 1 && records.every(({ topic, format }) => topic === topicOf(context) && format === 'json');
    },
    checkAddress: async (context) => (await registered(context)).length > 0,
    async create(context) {
      await requireSecret(context);
      await removeAll(context);
      const webhook = { topic: topicOf(context), address: context.webhookUrl(), format: 'json' };
      await shopifyClient.send(context, { path, json: { webhook } });
      return true;
    },
    async delete(context) {
      await removeAll(context);
      return true;
    },
  };
}

const topicOf = (context: Pick<WebhookContext, 'parameter'>): string => context.parameter('topic', '');

/** The app's secret, which Shopify uses for signatures; empty if the credential has no secret. */
async function secretOf(context: WebhookContext): Promise<string> {
  const { type, secret } = accountOf(context.parameter('authentication', 'apiKey'));
  return optionalCredentialText(await context.credentials(type), secret).trim();
}

async function requireSecret(context: WebhookContext): Promise<void> {
  if ((await secretOf(context)) !== '') return;
  const { type, secret } = accountOf(context.parameter('authentication', 'apiKey'));
  throw new NodeOperationError(`the credential has no "${secret}", so requests from Shopify cannot be verified`, {
    description: `Copy the API secret key of the app into the field "${secret}" of the credential (${type})`,
  });
}

/** The app's webhooks with our address. */
async function registered(context: WebhookContext): Promise<JsonObject[]> {
  const request = { path, query: { address: context.webhookUrl(), limit: 250 } };
  const records = await sendAll(shopifyClient, context, request, linkPaging('webhooks'));
  return records.filter(({ address }) => address === context.webhookUrl());
}

async function removeAll(context: WebhookContext): Promise<void> {
  for (const { id = '' } of await registered(context))
    await shopifyClient.send(context, { method: 'DELETE', path: `/webhooks/${encodeURIComponent(asText(id))}.json` });
}
