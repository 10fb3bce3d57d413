import { randomBytes } from 'node:crypto';
import type { JsonObject, JsonValue, NodePropertyOption, NodeType, WebhookContext, WebhookMethods } from '@sluice/node-sdk';
import { asText, objectOf, textOf } from '../../shared/json-values.ts';
import { sendAll } from '../../shared/paging.ts';
import { isSigned, refuseRequest } from '../../shared/signed-request.ts';
import { pageSize, pages, wooCommerceClient } from './woo-commerce-client.ts';

/** Object → its events: https://woocommerce.github.io/woocommerce-rest-api-docs/#webhooks */
const topics: Readonly<Record<string, readonly string[]>> = {
  coupon: ['created', 'updated', 'deleted', 'restored'],
  customer: ['created', 'updated', 'deleted'],
  order: ['created', 'updated', 'deleted', 'restored'],
  product: ['created', 'updated', 'deleted', 'restored'],
};
const events: readonly NodePropertyOption[] = Object.entries(topics).flatMap(([object, changes]) =>
  changes.map((change) => ({ value: `${object}.${change}`, name: `${object} ${change}` })),
);

/** Receives a shop's events by a webhook. */
export const wooCommerceTrigger: NodeType = {
  description: {
    displayName: 'WooCommerce Trigger',
    name: 'woo-commerce-trigger',
    group: ['trigger'],
    version: 1,
    description: 'Starts the workflow when something happens in a WooCommerce shop',
    defaults: { name: 'WooCommerce Trigger' },
    inputs: [],
    outputs: ['main'],
    icon: 'fa:shopping-cart',
    iconColor: 'purple',
    credentials: [{ name: 'wooCommerceApi', required: true }],
    webhooks: [{ name: 'default', httpMethod: 'POST', responseMode: 'onReceived', path: 'webhook' }],
    properties: [
      {
        displayName: 'Event',
        name: 'event',
        type: 'options',
        default: '',
        required: true,
        options: events,
        description: 'Event that starts an execution',
      },
    ],
  },
  webhookMethods: { default: registration() },
  async webhook(context) {
    const { headers, body } = context.request;
    const signature = headers['x-wc-webhook-signature'];
    // A new webhook is tested with an unsigned request, which contains its ID and nothing else.
    if (signature === undefined && isTest(body as JsonValue)) return {};
    const secret = textOf(context.staticData['secret']);
    if (!isSigned(context, { secret, signature, encoding: 'base64' })) return refuseRequest(context);
    if (headers['x-wc-webhook-topic'] !== eventOf(context)) return {};
    // Without a delivery ID: events in the same second have the same one, and none is sent again.
    return { workflowData: [[{ json: objectOf(body as JsonValue) }]] };
  },
};

const isTest = (body: JsonValue): boolean => Object.keys(objectOf(body)).join() === 'webhook_id';

const path = '/webhooks';
const eventOf = (context: Pick<WebhookContext, 'parameter'>): string => context.parameter('event', '');

function registration(): WebhookMethods {
  return {
    async checkExists(context) {
      const { webhook, secret } = context.staticData;
      if (typeof webhook !== 'number' || typeof secret !== 'string') return false;
      const isCurrent = ({ id, topic, status }: JsonObject) =>
        id === webhook && topic === eventOf(context) && status === 'active';
      return (await registered(context)).some(isCurrent);
    },
    checkAddress: async (context) => (await registered(context)).length > 0,
    async create(context) {
      // A webhook whose secret is lost is useless.
      await removeAll(context);
      const secret = randomBytes(32).toString('base64url');
      const json = {
        delivery_url: context.webhookUrl(),
        name: context.workflow.name.slice(0, 100) || 'Workflow',
        secret,
        topic: eventOf(context),
      };
      // The test request arrives before the response.
      context.staticData['secret'] = secret;
      const { id } = objectOf(await wooCommerceClient.send(context, { path, json }));
      if (typeof id !== 'number') return false;
      context.staticData['webhook'] = id;
      return true;
    },
    async delete(context) {
      await removeAll(context);
      delete context.staticData['webhook'];
      delete context.staticData['secret'];
      return true;
    },
  };
}

/** The shop's webhooks with our address. */
async function registered(context: WebhookContext): Promise<JsonObject[]> {
  const records = await sendAll(wooCommerceClient, context, { path, query: { per_page: pageSize } }, pages);
  return records.filter(({ delivery_url: url }) => url === context.webhookUrl());
}

async function removeAll(context: WebhookContext): Promise<void> {
  for (const { id = '' } of await registered(context))
    await wooCommerceClient.send(context, {
      method: 'DELETE',
      path: `${path}/${encodeURIComponent(asText(id))}`,
      query: { force: true },
      accepts: [404],
    });
}
