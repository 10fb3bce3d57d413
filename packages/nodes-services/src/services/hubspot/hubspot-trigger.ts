import {
  credentialText,
  type JsonObject,
  type JsonValue,
  NodeOperationError,
  type NodeProperty,
  type NodeType,
  type WebhookContext,
  type WebhookMethods,
  type WebhookRequestContext,
} from '@sluice/node-sdk';
import { atLeast, choice, choices, collection, list, number, text } from '@sluice/nodes-base/node-tools';
import { ApiClient } from '../../shared/api-client.ts';
import { asText, objectOf, objectsOf, textOf } from '../../shared/json-values.ts';
import { deliveryOf, isRecent, isSigned, refuseRequest } from '../../shared/signed-request.ts';
import { hubspotRefusal } from './hubspot-client.ts';

const credentialType = 'hubspotDeveloperApi';

/** https://developers.hubspot.com/docs/api-reference/legacy/webhooks/guide */
const developerClient = new ApiClient({
  service: 'HubSpot',
  credentialType,
  baseUrl: 'https://api.hubapi.com/webhooks/v3',
  refusalOf: hubspotRefusal,
});

/** Object → its events. */
const changes: Readonly<Record<string, string>> = {
  contact: 'creation deletion merge privacyDeletion propertyChange restore associationChange',
  company: 'creation deletion merge propertyChange restore associationChange',
  conversation: 'creation deletion newMessage privacyDeletion propertyChange',
  deal: 'creation deletion merge propertyChange restore associationChange',
  ticket: 'creation deletion merge propertyChange restore associationChange',
};
const events = Object.entries(changes).flatMap(([object, kinds]) => kinds.split(' ').map((kind) => `${object}.${kind}`));

const eventsUi: NodeProperty = list(
  'eventsUi',
  'Events',
  'eventValues',
  [
    choice('name', 'Name', choices(...events.map((name): [string, string] => [name, name])), { default: 'contact.creation' }),
    text('property', 'Property', 'Internal name of the property, for a `propertyChange`'),
  ],
  { required: true },
);

/** Receives events from the accounts that installed an app. */
export const hubspotTrigger: NodeType = {
  description: {
    displayName: 'HubSpot Trigger',
    name: 'hubspot-trigger',
    group: ['trigger'],
    version: 1,
    description: 'Starts the workflow when HubSpot contacts, companies, deals, or tickets change',
    defaults: { name: 'HubSpot Trigger' },
    inputs: [],
    outputs: ['main'],
    icon: 'fa:address-book',
    iconColor: 'orange',
    credentials: [{ name: credentialType, required: true }],
    webhooks: [{ name: 'default', httpMethod: 'POST', responseMode: 'onReceived', path: 'webhook' }],
    properties: [
      eventsUi,
      collection('additionalFields', 'Additional Fields', [
        atLeast(5, number('maxConcurrentRequests', 'Max Concurrent Requests', 10, 'Most requests that HubSpot sends at once')),
      ]),
    ],
  },
  webhookMethods: { default: registration() },
  async webhook(context) {
    const secret = credentialText(await context.credentials(credentialType), 'clientSecret');
    if (!isFromHubspot(context, secret)) return refuseRequest(context);
    const received = objectsOf(context.request.body);
    if (received.length === 0) return {};
    return { workflowData: [received.map((event) => ({ json: named(event) }))], ...deliveryOf(...received.flatMap(idsOf)) };
  },
};

/** Values that an event keeps when HubSpot sends it again. Its `eventId` alone is not unique. */
function idsOf({ eventId, subscriptionId, portalId, objectId, occurredAt }: JsonObject): (JsonValue | undefined)[] {
  return [eventId, subscriptionId, portalId, objectId, occurredAt];
}

/** The object ID also appears under its kind's name, such as `contactId`. */
function named(event: JsonObject): JsonObject {
  const kind = textOf(event['subscriptionType']).split('.', 1).join();
  const { objectId } = event;
  return objectId === undefined || kind === '' ? event : { ...event, [`${kind}Id`]: objectId };
}

const toleranceSeconds = 300;

/**
 * Signatures of version 3. The older ones, which HubSpot sends alongside them, cover neither the
 * time nor the address: a recorded request would be accepted again, and by other workflows of the
 * app.
 *
 * https://developers.hubspot.com/docs/apps/legacy-apps/authentication/validating-requests
 */
function isFromHubspot(context: WebhookRequestContext, secret: string): boolean {
  const { headers, rawBody } = context.request;
  const signature = headers['x-hubspot-signature-v3'];
  const time = textOf(headers['x-hubspot-request-timestamp']);
  if (!isRecent(time, toleranceSeconds, 1_000)) return false;
  const signed = Buffer.concat([Buffer.from(`POST${context.webhookUrl()}`), rawBody, Buffer.from(time)]);
  return isSigned(context, { secret, signature, encoding: 'base64', signed });
}

function registration(): WebhookMethods {
  return {
    async checkExists(context) {
      if ((await targetOf(context)) !== context.webhookUrl()) return false;
      const active = (await subscriptions(context)).filter((one) => one['active'] === true).map(keyOf);
      const wanted = wantedOf(context).map(keyOf);
      return active.length === wanted.length && wanted.every((key) => active.includes(key));
    },
    checkAddress: async (context) => (await targetOf(context)) === context.webhookUrl(),
    async create(context) {
      const target = await targetOf(context);
      if (target !== '' && target !== context.webhookUrl())
        throw new NodeOperationError('the app already sends its events to another URL', {
          description: 'A HubSpot app has one target URL: deactivate the other workflow, or use another app',
        });
      const wanted = wantedOf(context);
      await removeSubscriptions(context);
      const maxConcurrentRequests = Number(context.parameter<JsonValue>('additionalFields.maxConcurrentRequests', 10));
      const json = { targetUrl: context.webhookUrl(), throttling: { maxConcurrentRequests, period: 'SECONDLY' } };
      await developerClient.send(context, { method: 'PUT', path: await appPath(context, '/settings'), json });
      for (const one of wanted)
        await developerClient.send(context, { path: await appPath(context, '/subscriptions'), json: { ...one, active: true } });
      return true;
    },
    async delete(context) {
      if ((await targetOf(context)) !== context.webhookUrl()) return true;
      await removeSubscriptions(context);
      await developerClient.send(context, { method: 'DELETE', path: await appPath(context, '/settings') });
      return true;
    },
  };
}

/** Events to subscribe to, each once. */
function wantedOf(context: WebhookContext): JsonObject[] {
  const chosen = [context.parameter<JsonValue>('eventsUi.eventValues', [])].flat();
  const wanted = new Map<string, JsonObject>();
  for (const { name: eventType = 'contact.creation', property = '' } of objectsOf(chosen)) {
    const isChange = asText(eventType).endsWith('.propertyChange');
    if (isChange && property === '')
      throw new NodeOperationError(`the event "${eventType}" needs a property`, {
        description: 'Set "Property" to the internal name of the property',
      });
    const one = { eventType, ...(isChange && { propertyName: property }) };
    wanted.set(keyOf(one), one);
  }
  if (wanted.size > 0) return [...wanted.values()];
  throw new NodeOperationError('no event is chosen', { description: 'Add an event to "Events"' });
}

const keyOf = ({ eventType = '', propertyName }: JsonObject): string => `${eventType} ${propertyName ?? ''}`;

/** The app's target URL for events; empty if it has no URL. */
async function targetOf(context: WebhookContext): Promise<string> {
  const path = await appPath(context, '/settings');
  const { status, body } = await developerClient.exchange(context, { path, accepts: [404] });
  return status === 404 ? '' : textOf(objectOf(body)['targetUrl']);
}

async function subscriptions(context: WebhookContext): Promise<JsonObject[]> {
  const response = await developerClient.send(context, { path: await appPath(context, '/subscriptions') });
  return objectsOf(objectOf(response)['results']);
}

async function removeSubscriptions(context: WebhookContext): Promise<void> {
  for (const { id = '' } of await subscriptions(context)) {
    const path = await appPath(context, `/subscriptions/${encodeURIComponent(asText(id))}`);
    await developerClient.send(context, { method: 'DELETE', path });
  }
}

async function appPath(context: WebhookContext, more: string): Promise<string> {
  return `/${encodeURIComponent(credentialText(await context.credentials(credentialType), 'appId').trim())}${more}`;
}
