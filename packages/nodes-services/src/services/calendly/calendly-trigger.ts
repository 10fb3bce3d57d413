import { randomBytes } from 'node:crypto';
import {
  type JsonObject,
  type JsonValue,
  NodeOperationError,
  type NodeType,
  type WebhookContext,
  type WebhookMethods,
} from '@sluice/node-sdk';
import { choice, choices, where } from '@sluice/nodes-base/node-tools';
import { ApiClient } from '../../shared/api-client.ts';
import { asText, hasSameTexts, objectOf, textOf } from '../../shared/json-values.ts';
import { cursorPaging, sendAll } from '../../shared/paging.ts';
import { deliveryOf, isSignedInTime, refuseRequest } from '../../shared/signed-request.ts';

/** https://developer.calendly.com/api-docs/calendly-api/webhooks */
const calendlyClient = new ApiClient({
  service: 'Calendly',
  credentialType: ({ parameter }) => (isByApp({ parameter }) ? 'calendlyOAuth2Api' : 'calendlyApi'),
  baseUrl: 'https://api.calendly.com',
  refusalOf({ status, body }) {
    const { title, message } = objectOf(body);
    return {
      ...(typeof title === 'string' && { code: title }),
      ...(typeof message === 'string' && { text: message }),
      ...(status === 403 && { hint: 'Webhooks require a paid plan, and organization webhooks require its owner or an admin' }),
    };
  },
});

const eventChoices = choices(
  ['invitee.created', 'Event Created', 'Somebody booked an event'],
  ['invitee.canceled', 'Event Canceled', 'An event was canceled'],
  ['invitee_no_show.created', 'No-Show Marked', 'An invitee did not come'],
  ['invitee_no_show.deleted', 'No-Show Unmarked', 'The mark of an invitee who did not come was removed'],
  ['routing_form_submission.created', 'Routing Form Submitted', 'Only with the scope `organization`'],
);

/** Receives bookings and cancellations. */
export const calendlyTrigger: NodeType = {
  description: {
    displayName: 'Calendly Trigger',
    name: 'calendly-trigger',
    group: ['trigger'],
    version: 1,
    description: 'Starts the workflow when somebody books or cancels a Calendly event',
    defaults: { name: 'Calendly Trigger' },
    inputs: [],
    outputs: ['main'],
    icon: 'fa:calendar',
    credentials: [
      { name: 'calendlyApi', required: true, ...where({ authentication: ['apiKey'] }) },
      { name: 'calendlyOAuth2Api', required: true, ...where({ authentication: ['oAuth2'] }) },
    ],
    webhooks: [{ name: 'default', httpMethod: 'POST', responseMode: 'onReceived', path: 'webhook' }],
    properties: [
      choice('authentication', 'Authentication', choices(['apiKey', 'API Key or Personal Access Token'], ['oAuth2', 'OAuth2'])),
      choice(
        'scope',
        'Scope',
        choices(['user', 'User', 'Events of the user'], ['organization', 'Organization', 'Events of all users']),
        { description: 'Events of the user, or of the whole organization' },
      ),
      {
        displayName: 'Events',
        name: 'events',
        type: 'multiOptions',
        default: [],
        required: true,
        options: eventChoices,
        description: 'Events that start an execution',
      },
    ],
  },
  webhookMethods: { default: registration() },
  async webhook(context) {
    const secret = isByApp(context) ? await keyOfApp(context) : textOf(context.staticData['secret']);
    if (!isSignedInTime(context, { ...signature, secret })) return refuseRequest(context);
    const json = objectOf(context.request.body);
    if (!eventsOf(context).includes(textOf(json['event']))) return {};
    const { event, created_at: at, payload } = json;
    // Calendly deliveries have no ID; a repeated delivery has the time of its event, to the
    // microsecond.
    return { workflowData: [[{ json }]], ...deliveryOf(event, at, objectOf(payload)['uri']) };
  },
};

/** https://developer.calendly.com/api-docs/overview/webhooks/webhook-signatures */
const signature = { header: 'calendly-webhook-signature', toleranceSeconds: 180 };

const path = '/webhook_subscriptions';

/** OAuth apps have their own signing key, which Calendly uses for all their subscriptions. */
function isByApp({ parameter }: Pick<WebhookContext, 'parameter'>): boolean {
  return parameter<string>('authentication', 'apiKey') === 'oAuth2';
}

async function keyOfApp(context: Pick<WebhookContext, 'credentials'>): Promise<string> {
  return textOf((await context.credentials('calendlyOAuth2Api'))['signingKey']);
}

function registration(): WebhookMethods {
  return {
    async checkExists(context) {
      const { subscription, secret } = context.staticData;
      if (typeof subscription !== 'string' || (!isByApp(context) && typeof secret !== 'string')) return false;
      const records = await registered(context, await ownerOf(context));
      return records.some((one) => one['uri'] === subscription && isCurrent(context, one));
    },
    checkAddress: async (context) => (await registered(context, await ownerOf(context))).length > 0,
    async create(context) {
      if (isByApp(context) && (await keyOfApp(context)) === '')
        throw new NodeOperationError('the credential has no webhook signing key', {
          description: 'Copy it from the OAuth app in the developer portal of Calendly to the credential',
        });
      const owner = await ownerOf(context);
      // A subscription whose secret is lost is useless, and two may not have the same URL.
      await removeAll(context, owner);
      const secret = isByApp(context) ? undefined : randomBytes(32).toString('base64url');
      const json = { url: context.webhookUrl(), events: eventsOf(context), ...owner, signing_key: secret };
      const { uri } = objectOf(objectOf(await calendlyClient.send(context, { path, json }))['resource']);
      if (typeof uri !== 'string') return false;
      Object.assign(context.staticData, { subscription: uri, ...(secret !== undefined && { secret }) });
      return true;
    },
    async delete(context) {
      await removeAll(context, await ownerOf(context));
      delete context.staticData['subscription'];
      delete context.staticData['secret'];
      return true;
    },
  };
}

/** The user or organization that a subscription belongs to. */
interface Owner {
  scope: string;
  organization: JsonValue;
  user?: JsonValue;
}

async function ownerOf(context: WebhookContext): Promise<Owner> {
  const me = objectOf(objectOf(await calendlyClient.send(context, { path: '/users/me' }))['resource']);
  const organization = me['current_organization'] ?? null;
  if (context.parameter<string>('scope', 'user') === 'organization') return { scope: 'organization', organization };
  return { scope: 'user', organization, user: me['uri'] ?? null };
}

const pages = cursorPaging('collection', 'pagination.next_page_token', 'page_token');

/** Subscriptions of the owner with our address. */
async function registered(context: WebhookContext, owner: Owner): Promise<JsonObject[]> {
  const records = await sendAll(calendlyClient, context, { path, query: { ...owner, count: 100 } }, pages);
  return records.filter(({ callback_url: url }) => url === context.webhookUrl());
}

/** Includes the known subscription, which another choice of `scope` would hide. */
async function removeAll(context: WebhookContext, owner: Owner): Promise<void> {
  const uris = (await registered(context, owner)).map(({ uri }) => textOf(uri));
  for (const uri of new Set([...uris, textOf(context.staticData['subscription'])])) {
    const id = uri.split('/').at(-1) ?? '';
    if (id === '') continue;
    await calendlyClient.send(context, { method: 'DELETE', path: `${path}/${encodeURIComponent(id)}`, accepts: [404] });
  }
}

function eventsOf(context: Pick<WebhookContext, 'parameter'>): string[] {
  return [context.parameter<JsonValue>('events', [])].flat().map(asText);
}

function isCurrent(context: WebhookContext, { state, scope, events }: JsonObject): boolean {
  const isOfScope = scope === context.parameter<string>('scope', 'user');
  return state === 'active' && isOfScope && hasSameTexts(events, eventsOf(context));
}
