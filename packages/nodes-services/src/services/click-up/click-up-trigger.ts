import {
  type JsonObject,
  type JsonValue,
  NodeOperationError,
  type NodeType,
  type WebhookContext,
  type WebhookMethods,
} from '@sluice/node-sdk';
import { choice, choices, collection, text, where } from '@sluice/nodes-base/node-tools';
import { asText, hasSameTexts, objectOf, objectsOf, textOf } from '../../shared/json-values.ts';
import { choicesFrom } from '../../shared/list-choices.ts';
import { deliveryOf, isSigned, refuseRequest } from '../../shared/signed-request.ts';
import { clickUpClient, team } from './click-up-client.ts';

/** https://developer.clickup.com/docs/webhooks */
const eventNames = [
  'folderCreated',
  'folderDeleted',
  'folderUpdated',
  'goalCreated',
  'goalDeleted',
  'goalUpdated',
  'keyResultCreated',
  'keyResultDeleted',
  'keyResultUpdated',
  'listCreated',
  'listDeleted',
  'listUpdated',
  'spaceCreated',
  'spaceDeleted',
  'spaceUpdated',
  'taskAssigneeUpdated',
  'taskCommentPosted',
  'taskCommentUpdated',
  'taskCreated',
  'taskDeleted',
  'taskDueDateUpdated',
  'taskMoved',
  'taskPriorityUpdated',
  'taskStatusUpdated',
  'taskTagUpdated',
  'taskTimeEstimateUpdated',
  'taskTimeTrackedUpdated',
  'taskUpdated',
];

/** `taskDueDateUpdated` → `Task Due Date Updated` */
const title = (name: string): string => name.replace(/[A-Z]/g, ' $&').replace(/^./, (first) => first.toUpperCase());

/** Receives changes of tasks, lists, folders, spaces, and goals. */
export const clickUpTrigger: NodeType = {
  description: {
    displayName: 'ClickUp Trigger',
    name: 'click-up-trigger',
    group: ['trigger'],
    version: 1,
    description: 'Starts the workflow when something changes in ClickUp',
    defaults: { name: 'ClickUp Trigger' },
    inputs: [],
    outputs: ['main'],
    icon: 'fa:check',
    iconColor: 'purple',
    credentials: [
      { name: 'clickUpApi', required: true, ...where({ authentication: ['accessToken'] }) },
      { name: 'clickUpOAuth2Api', required: true, ...where({ authentication: ['oAuth2'] }) },
    ],
    webhooks: [{ name: 'default', httpMethod: 'POST', responseMode: 'onReceived', path: 'webhook' }],
    properties: [
      choice('authentication', 'Authentication', choices(['accessToken', 'Access Token'], ['oAuth2', 'OAuth2'])),
      { ...team, required: true },
      {
        displayName: 'Events',
        name: 'events',
        type: 'multiOptions',
        default: [],
        required: true,
        options: choices(['*', '*'], ...eventNames.map((name): [string, string] => [name, title(name)])),
        description: 'Events that start an execution; `*`: all',
      },
      collection('filters', 'Filters', [
        text('folderId', 'Folder ID', 'Only events in this folder'),
        text('listId', 'List ID', 'Only events in this list'),
        text('spaceId', 'Space ID', 'Only events in this space'),
        text('taskId', 'Task ID', 'Only events of this task'),
      ]),
    ],
  },
  methods: {
    loadOptions: {
      getTeams: async (context) =>
        choicesFrom(objectsOf(objectOf(await clickUpClient.send(context, { path: '/team' }))['teams'])),
    },
  },
  webhookMethods: { default: registration() },
  async webhook(context) {
    const secret = textOf(context.staticData['secret']);
    if (!isSigned(context, { secret, signature: context.request.headers['x-signature'], encoding: 'hex' }))
      return refuseRequest(context);
    const json = objectOf(context.request.body as JsonValue);
    const [{ id } = {}] = objectsOf(json['history_items']);
    return { workflowData: [[{ json }]], ...deliveryOf(json['webhook_id'], json['event'], id) };
  },
};

function registration(): WebhookMethods {
  return {
    async checkExists(context) {
      const { webhook, secret } = context.staticData;
      if (typeof webhook !== 'string' || typeof secret !== 'string') return false;
      return (await registered(context)).some((one) => one['id'] === webhook && isCurrent(context, one));
    },
    checkAddress: async (context) => (await registered(context)).length > 0,
    async create(context) {
      // ClickUp shows the secret once, so a webhook whose secret is lost is useless.
      await removeAll(context);
      const json = { endpoint: context.webhookUrl(), events: eventsOf(context), ...placeOf(context) };
      const created = objectOf(objectOf(await clickUpClient.send(context, { path: pathOf(context), json }))['webhook']);
      const [webhook, secret] = [textOf(created['id']), textOf(created['secret'])];
      if (webhook === '' || secret === '') return false;
      Object.assign(context.staticData, { webhook, secret });
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

function pathOf(context: WebhookContext): string {
  const id = asText(context.parameter<JsonValue>('team', '') ?? '').trim();
  if (id !== '') return `/team/${encodeURIComponent(id)}/webhook`;
  throw new NodeOperationError('the parameter "team" is required', { description: 'Choose a team, or set its ID' });
}

/** The team's webhooks with our address. */
async function registered(context: WebhookContext): Promise<JsonObject[]> {
  const response = objectOf(await clickUpClient.send(context, { path: pathOf(context) }));
  return objectsOf(response['webhooks']).filter(({ endpoint }) => endpoint === context.webhookUrl());
}

/** Includes the known webhook, which another team would hide. */
async function removeAll(context: WebhookContext): Promise<void> {
  const ids = (await registered(context)).map(({ id }) => textOf(id));
  for (const id of new Set([...ids, textOf(context.staticData['webhook'])]))
    if (id !== '')
      await clickUpClient.send(context, { method: 'DELETE', path: `/webhook/${encodeURIComponent(id)}`, accepts: [404] });
}

/** `*` is all events; ClickUp lists them by name. */
function eventsOf(context: Pick<WebhookContext, 'parameter'>): string[] {
  const events = [context.parameter<JsonValue>('events', [])].flat().map(asText);
  return events.includes('*') ? ['*'] : events;
}

const members = { spaceId: 'space_id', folderId: 'folder_id', listId: 'list_id', taskId: 'task_id' } as const;

/** The place that events are limited to, under its API name. */
function placeOf(context: Pick<WebhookContext, 'parameter'>): JsonObject {
  const filters = objectOf(context.parameter<JsonValue>('filters', {}));
  const pairs = Object.entries(members).map(([name, to]) => [to, asText(filters[name] ?? '').trim()] as const);
  return Object.fromEntries(pairs.filter(([, id]) => id !== ''));
}

function isCurrent(context: WebhookContext, webhook: JsonObject): boolean {
  const [events, place] = [eventsOf(context), placeOf(context)];
  const isSamePlace = Object.values(members).every((name) => asText(webhook[name] ?? '') === asText(place[name] ?? ''));
  const isActive = objectOf(webhook['health'])['status'] !== 'suspended';
  const subscribed = [webhook['events'] ?? []].flat().map(asText);
  const hasEvents = events.includes('*')
    ? subscribed.includes('*') || subscribed.length >= eventNames.length
    : hasSameTexts(subscribed, events);
  return isActive && isSamePlace && hasEvents;
}
