import type { JsonObject, JsonValue, NodeType, WebhookContext, WebhookMethods } from '@sluice/node-sdk';
import { text } from '@sluice/nodes-base/node-tools';
import { asText, hasSameTexts, objectOf, textOf } from '../../shared/json-values.ts';
import { sendAll } from '../../shared/paging.ts';
import { deliveryOf, isSignedInTime, refuseRequest } from '../../shared/signed-request.ts';
import { pages, stripeClient } from './stripe-client.ts';
import { stripeEvents } from './stripe-events.ts';

/** Receives an account's events by a webhook endpoint. */
export const stripeTrigger: NodeType = {
  description: {
    displayName: 'Stripe Trigger',
    name: 'stripe-trigger',
    group: ['trigger'],
    version: 1,
    description: 'Starts the workflow when something happens in a Stripe account',
    defaults: { name: 'Stripe Trigger' },
    inputs: [],
    outputs: ['main'],
    icon: 'fa:credit-card',
    credentials: [{ name: 'stripeApi', required: true }],
    webhooks: [{ name: 'default', httpMethod: 'POST', responseMode: 'onReceived', path: 'webhook' }],
    properties: [
      {
        displayName: 'Events',
        name: 'events',
        type: 'multiOptions',
        default: [],
        required: true,
        options: stripeEvents,
        description: 'Events that start an execution',
      },
      text(
        'apiVersion',
        'API Version',
        'Version of the API that events have, such as `2024-06-20`; default: that of the account',
      ),
    ],
  },
  webhookMethods: { default: registration() },
  async webhook(context) {
    const secret = textOf(context.staticData['secret']);
    if (!isSignedInTime(context, { ...signature, secret })) return refuseRequest(context);
    const json = objectOf(context.request.body);
    const events = eventsOf(context);
    const isChosen = events.includes('*') || events.includes(textOf(json['type']));
    return isChosen ? { workflowData: [[{ json }]], ...deliveryOf(json['id']) } : {};
  },
};

/** https://docs.stripe.com/webhooks#verify-manually */
const signature = { header: 'stripe-signature', toleranceSeconds: 300 };

const path = '/webhook_endpoints';

function registration(): WebhookMethods {
  return {
    async checkExists(context) {
      const { endpointId, secret } = context.staticData;
      if (typeof secret !== 'string' || endpointId === undefined) return false;
      return (await registered(context)).some((one) => one['id'] === endpointId && isCurrent(context, one));
    },
    checkAddress: async (context) => (await registered(context)).length > 0,
    async create(context) {
      // Stripe shows an endpoint's secret once, when it creates the endpoint.
      await removeAll(context);
      const events = eventsOf(context).map((event, index) => [`enabled_events[${index}]`, event]);
      const version = context.parameter('apiVersion', '').trim();
      const form = {
        url: context.webhookUrl(),
        ...Object.fromEntries(events),
        ...(version !== '' && { api_version: version }),
        description: `Workflow ${context.workflow.id}`,
      };
      const { id = null, secret = null } = objectOf(await stripeClient.send(context, { path, form }));
      Object.assign(context.staticData, { endpointId: id, secret });
      return typeof secret === 'string';
    },
    async delete(context) {
      await removeAll(context);
      delete context.staticData['endpointId'];
      delete context.staticData['secret'];
      return true;
    },
  };
}

function eventsOf(context: Pick<WebhookContext, 'parameter'>): string[] {
  const events = [context.parameter<JsonValue>('events', [])].flat().map(asText);
  return events.includes('*') ? ['*'] : events;
}

function isCurrent(context: WebhookContext, { status, enabled_events: enabled }: JsonObject): boolean {
  return status === 'enabled' && hasSameTexts(enabled, eventsOf(context));
}

/** The account's endpoints with our address. */
async function registered(context: WebhookContext): Promise<JsonObject[]> {
  const records = await sendAll(stripeClient, context, { path, query: { limit: 100 } }, pages);
  return records.filter(({ url }) => url === context.webhookUrl());
}

async function removeAll(context: WebhookContext): Promise<void> {
  for (const { id = '' } of await registered(context))
    await stripeClient.send(context, { method: 'DELETE', path: `${path}/${encodeURIComponent(asText(id))}` });
}
