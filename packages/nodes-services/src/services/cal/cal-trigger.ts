import { randomBytes } from 'node:crypto';
import {
  isJsonObject,
  type JsonObject,
  type JsonValue,
  type MethodContext,
  type NodePropertyOption,
  type NodeType,
  optionalCredentialText,
  type WebhookContext,
  type WebhookMethods,
} from '@sluice/node-sdk';
import { choice, options, text, when, withoutFinalSlashes } from '@sluice/nodes-base/node-tools';
import { ApiClient } from '../../shared/api-client.ts';
import { asText, hasSameTexts, objectOf, textOf } from '../../shared/json-values.ts';
import { choicesFrom } from '../../shared/list-choices.ts';
import { onePage, type Paging, sendAll } from '../../shared/paging.ts';
import { deliveryOf, isSigned, refuseRequest } from '../../shared/signed-request.ts';

/** https://cal.com/docs/api-reference/v2 */
const calClient = new ApiClient({
  service: 'Cal.com',
  credentialType: 'calApi',
  baseUrl: (credential) => `${withoutFinalSlashes(optionalCredentialText(credential, 'host', 'https://api.cal.com'))}/v2`,
  refusalOf({ body }) {
    const { code, message } = objectOf(objectOf(body)['error']);
    return { ...(typeof code === 'string' && { code }), ...(typeof message === 'string' && { text: message }) };
  },
});

const events: readonly NodePropertyOption[] = [
  { value: 'BOOKING_CREATED', name: 'Booking Created' },
  { value: 'BOOKING_CANCELLED', name: 'Booking Cancelled' },
  { value: 'BOOKING_RESCHEDULED', name: 'Booking Rescheduled' },
  { value: 'MEETING_ENDED', name: 'Meeting Ended' },
  { value: 'BOOKING_REQUESTED', name: 'Booking Requested' },
  { value: 'BOOKING_REJECTED', name: 'Booking Rejected' },
  { value: 'BOOKING_PAYMENT_INITIATED', name: 'Booking Payment Initiated' },
  { value: 'BOOKING_PAID', name: 'Booking Paid' },
  { value: 'BOOKING_NO_SHOW_UPDATED', name: 'Booking No-Show Updated' },
  { value: 'MEETING_STARTED', name: 'Meeting Started' },
  { value: 'RECORDING_READY', name: 'Recording Ready' },
  { value: 'FORM_SUBMITTED', name: 'Form Submitted' },
];

/** Receives bookings and meetings. */
export const calTrigger: NodeType = {
  description: {
    displayName: 'Cal.com Trigger',
    name: 'cal-trigger',
    group: ['trigger'],
    version: [1, 2],
    defaultVersion: 2,
    description: 'Starts the workflow when somebody books a Cal.com event, or changes a booking',
    defaults: { name: 'Cal.com Trigger' },
    inputs: [],
    outputs: ['main'],
    icon: 'fa:calendar',
    credentials: [{ name: 'calApi', required: true }],
    webhooks: [{ name: 'default', httpMethod: 'POST', responseMode: 'onReceived', path: 'webhook' }],
    properties: [
      choice(
        'version',
        'Cal API Version',
        [
          { value: 2, name: 'v2.0 and Later' },
          { value: 1, name: 'Before v2.0' },
        ],
        { description: 'Has no effect: version 2 of the API is used', ...when([1]) },
      ),
      {
        displayName: 'Events',
        name: 'events',
        type: 'multiOptions',
        default: [],
        required: true,
        options: events,
        description: 'Events that start an execution',
      },
      options([
        text('appId', 'App ID', 'Has no effect: version 2 of the API does not filter by an app'),
        {
          displayName: 'Event Type Name or ID',
          name: 'eventTypeId',
          type: 'options',
          default: '',
          typeOptions: { loadOptionsMethod: 'getEventTypes' },
          description: 'Only bookings of this event type: from the list, or by ID',
        },
        text(
          'payloadTemplate',
          'Payload Template',
          'JSON with variables such as `{{title}}`, which is sent in place of the usual one',
        ),
      ]),
    ],
  },
  methods: { loadOptions: { getEventTypes } },
  webhookMethods: { default: registration() },
  async webhook(context) {
    const secret = textOf(context.staticData['secret']);
    const signature = context.request.headers['x-cal-signature-256'];
    if (!isSigned(context, { secret, signature, encoding: 'hex' })) return refuseRequest(context);
    const { payload = null, ...body } = objectOf(context.request.body);
    const event = textOf(body['triggerEvent']);
    // With a custom template, the event may be missing from the body.
    if (event !== '' && !eventsOf(context).includes(event)) return {};
    const json = isJsonObject(payload) ? { ...body, ...payload } : { ...body, ...(payload !== null && { payload }) };
    // Cal.com deliveries have no ID; a repeated delivery has the time of its event, except with a
    // template.
    return { workflowData: [[{ json }]], ...deliveryOf(event, body['createdAt'], objectOf(payload)['uid']) };
  },
};

function registration(): WebhookMethods {
  return {
    async checkExists(context) {
      const { webhookId, secret } = context.staticData;
      if (typeof secret !== 'string' || typeof webhookId !== 'string') return false;
      return (await registered(context)).some((one) => one['id'] === webhookId && isCurrent(context, one));
    },
    checkAddress: async (context) => (await registered(context)).length > 0,
    async create(context) {
      await removeAll(context);
      const secret = randomBytes(32).toString('base64url');
      const template = context.parameter<string>('options.payloadTemplate', '');
      const json = {
        active: true,
        subscriberUrl: context.webhookUrl(),
        triggers: eventsOf(context),
        secret,
        ...(template !== '' && { payloadTemplate: template }),
      };
      const path = pathOf(context);
      const { id } = objectOf(objectOf(await calClient.send(context, { path, json }))['data']);
      if (typeof id !== 'string' && typeof id !== 'number') return false;
      Object.assign(context.staticData, { webhookId: asText(id), secret, path });
      return true;
    },
    async delete(context) {
      await removeAll(context);
      for (const name of ['webhookId', 'secret', 'path']) delete context.staticData[name];
      return true;
    },
  };
}

/** Webhooks belong to the user, or to an event type. */
function pathOf(context: WebhookContext): string {
  const type = context.parameter<JsonValue>('options.eventTypeId', '') ?? '';
  return type === '' ? '/webhooks' : `/event-types/${encodeURIComponent(asText(type))}/webhooks`;
}

const pageSize = 250;
const pages: Paging = {
  list: 'data',
  next: (_, count) => (count > 0 && count % pageSize === 0 ? { query: { skip: count } } : undefined),
};

/** Webhooks with our address. */
async function registered(context: WebhookContext): Promise<JsonObject[]> {
  const query = { take: pageSize, skip: 0 };
  const records = await sendAll(calClient, context, { path: pathOf(context), query }, pages);
  return records
    .filter(({ subscriberUrl }) => subscriberUrl === context.webhookUrl())
    .map((one) => ({ ...one, id: asText(one['id']) }));
}

/** Includes the known webhook, which may belong to another event type. */
async function removeAll(context: WebhookContext): Promise<void> {
  const { path, webhookId } = context.staticData;
  const paths = (await registered(context)).map(({ id }) => `${pathOf(context)}/${encodeURIComponent(asText(id))}`);
  const stored = typeof path === 'string' && typeof webhookId === 'string' ? [`${path}/${encodeURIComponent(webhookId)}`] : [];
  for (const one of new Set([...paths, ...stored]))
    await calClient.send(context, { method: 'DELETE', path: one, accepts: [404] });
}

function eventsOf(context: Pick<WebhookContext, 'parameter'>): string[] {
  return [context.parameter<JsonValue>('events', [])].flat().map(asText);
}

function isCurrent(context: WebhookContext, { active, triggers, payloadTemplate }: JsonObject): boolean {
  const hasTemplate = textOf(payloadTemplate) === context.parameter<string>('options.payloadTemplate', '');
  return active === true && hasTemplate && hasSameTexts(triggers, eventsOf(context));
}

async function getEventTypes(context: MethodContext): Promise<NodePropertyOption[]> {
  const headers = { 'cal-api-version': '2024-06-14' };
  const eventTypes = await sendAll(calClient, context, { path: '/event-types', headers }, onePage('data'));
  return choicesFrom(eventTypes, 'title');
}
