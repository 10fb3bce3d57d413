import { randomBytes } from 'node:crypto';
import {
  type JsonObject,
  type JsonValue,
  NodeOperationError,
  type NodeType,
  type UnsupportedUse,
  type WebhookContext,
  type WebhookMethods,
  type WebhookRequestContext,
} from '@sluice/node-sdk';
import { choice, choices, unsupported, when, where } from '@sluice/nodes-base/node-tools';
import { asText, objectOf, objectsOf, textOf } from '../../shared/json-values.ts';
import { deliveryOf, isSecret, refuseRequest } from '../../shared/signed-request.ts';
import { pipedriveClient } from './pipedrive-client.ts';

const objects = choices(
  ['activity', 'Activity'],
  ['activityType', 'Activity Type'],
  ['*', 'All'],
  ['deal', 'Deal'],
  ['note', 'Note'],
  ['organization', 'Organization'],
  ['person', 'Person'],
  ['pipeline', 'Pipeline'],
  ['product', 'Product'],
  ['stage', 'Stage'],
  ['user', 'User'],
);

/** Actions of version 1 → those of the API. */
const earlierActions: ReadonlyMap<string, string> = new Map([
  ['added', 'create'],
  ['updated', 'change'],
  ['deleted', 'delete'],
]);

const merged: UnsupportedUse = {
  parameter: 'action',
  values: ['merged'],
  what: 'an event for merged records',
  hint: 'Choose "Updated" or "Deleted": Pipedrive reports merged records as these',
};

/** Receives changes of deals, persons, and other records. */
export const pipedriveTrigger: NodeType = {
  description: {
    displayName: 'Pipedrive Trigger',
    name: 'pipedrive-trigger',
    group: ['trigger'],
    version: [1, 1.1],
    defaultVersion: 1.1,
    description: 'Starts the workflow when a record changes in Pipedrive',
    defaults: { name: 'Pipedrive Trigger' },
    inputs: [],
    outputs: ['main'],
    icon: 'fa:handshake',
    iconColor: 'green',
    credentials: [
      { name: 'pipedriveApi', required: true, ...where({ authentication: ['apiToken'] }) },
      { name: 'pipedriveOAuth2Api', required: true, ...where({ authentication: ['oAuth2'] }) },
      { name: 'httpBasicAuth', required: true, ...where({ incomingAuthentication: ['basicAuth'] }) },
    ],
    webhooks: [{ name: 'default', httpMethod: 'POST', responseMode: 'onReceived', path: 'webhook' }],
    properties: [
      choice('authentication', 'Authentication', choices(['apiToken', 'API Token'], ['oAuth2', 'OAuth2'])),
      choice(
        'incomingAuthentication',
        'Incoming Authentication',
        choices(
          ['basicAuth', 'Basic Auth', 'With your user and password'],
          ['none', 'None', 'With a password that only Pipedrive and this workflow know'],
        ),
        { default: 'none' },
      ),
      choice(
        'action',
        'Action',
        choices(
          ['added', 'Added'],
          ['*', 'All'],
          ['deleted', 'Deleted'],
          ['merged', 'Merged', 'Not supported: Pipedrive reports it as changed and deleted records'],
          ['updated', 'Updated'],
        ),
        { default: '*', ...when([1]) },
      ),
      choice(
        'action',
        'Action',
        choices(['*', 'All'], ['change', 'Changed'], ['create', 'Created'], ['delete', 'Deleted']),
        when([1.1]),
      ),
      choice('object', 'Object', objects, { default: '*', ...when([1]) }),
      choice('entity', 'Entity', objects, { default: '*', ...when([1.1]) }),
    ],
  },
  unsupported: [merged],
  webhookMethods: { default: registration() },
  async webhook(context) {
    if (!(await isFromPipedrive(context))) return refuseRequest(context, 'the password is wrong');
    const body = objectOf(context.request.body as JsonValue);
    const json = context.typeVersion === 1 ? earlierShape(body) : body;
    return { workflowData: [[{ json }]], ...deliveryOf(objectOf(body['meta'])['id']) };
  },
};

/** https://developers.pipedrive.com/docs/api/v1/Webhooks */
const path = '/api/v1/webhooks';

/** User and password that Pipedrive sends with each request. */
interface Account {
  user: string;
  password: string;
}

/** The account of the credential, or the generated account; `undefined` if none is known. */
async function accountOf(
  context: Pick<WebhookContext, 'parameter' | 'credentials' | 'staticData'>,
): Promise<Account | undefined> {
  if (context.parameter<string>('incomingAuthentication', 'none') !== 'basicAuth') {
    const password = textOf(context.staticData['password']);
    return password === '' ? undefined : { user: 'sluice', password };
  }
  const { user, password } = await context.credentials('httpBasicAuth');
  return textOf(user) === '' || textOf(password) === '' ? undefined : { user: textOf(user), password: textOf(password) };
}

async function isFromPipedrive(context: WebhookRequestContext): Promise<boolean> {
  const account = await accountOf(context);
  if (!account) return false;
  const wanted = `Basic ${Buffer.from(`${account.user}:${account.password}`).toString('base64')}`;
  return isSecret(context.request.headers['authorization'], wanted);
}

function registration(): WebhookMethods {
  return {
    async checkExists(context) {
      const { webhook } = context.staticData;
      if (typeof webhook !== 'number' || !(await accountOf(context))) return false;
      return (await registered(context)).some((one) => one['id'] === webhook && isCurrent(context, one));
    },
    checkAddress: async (context) => (await registered(context)).length > 0,
    async create(context) {
      const [event_action, event_object] = eventOf(context);
      // A webhook whose password is lost is useless.
      await removeAll(context);
      const isOwn = context.parameter<string>('incomingAuthentication', 'none') !== 'basicAuth';
      if (isOwn) context.staticData['password'] = randomBytes(32).toString('base64url');
      const account = await accountOf(context);
      if (!account)
        throw new NodeOperationError('the credential has no user or no password', {
          description: 'Fill in both, or choose the incoming authentication "None"',
        });
      const json = {
        subscription_url: context.webhookUrl(),
        event_action,
        event_object,
        http_auth_user: account.user,
        http_auth_password: account.password,
        name: context.workflow.name.slice(0, 100) || 'Workflow',
        version: '2.0',
      };
      const { id } = objectOf(objectOf(await pipedriveClient.send(context, { path, json }))['data']);
      if (typeof id !== 'number') return false;
      context.staticData['webhook'] = id;
      return true;
    },
    async delete(context) {
      await removeAll(context);
      delete context.staticData['webhook'];
      delete context.staticData['password'];
      return true;
    },
  };
}

/** Action and kind of object, as the API names them. */
function eventOf(context: WebhookContext): [action: string, object: string] {
  const action = context.parameter<string>('action', '*') || '*';
  if (context.typeVersion !== 1) return [action, context.parameter<string>('entity', '*') || '*'];
  if (action === 'merged') throw unsupported(merged.what, merged.hint);
  return [earlierActions.get(action) ?? action, context.parameter<string>('object', '*') || '*'];
}

/** The account's webhooks with our address. */
async function registered(context: WebhookContext): Promise<JsonObject[]> {
  const response = objectOf(await pipedriveClient.send(context, { path }));
  return objectsOf(response['data']).filter(({ subscription_url: url }) => url === context.webhookUrl());
}

async function removeAll(context: WebhookContext): Promise<void> {
  const ids = (await registered(context)).map(({ id }) => id);
  for (const id of new Set([...ids, context.staticData['webhook']]))
    if (typeof id === 'number')
      await pipedriveClient.send(context, { method: 'DELETE', path: `${path}/${id}`, accepts: [404, 410] });
}

function isCurrent(context: WebhookContext, { event_action, event_object, is_active, version }: JsonObject): boolean {
  const [action, object] = eventOf(context);
  const isActive = is_active !== 0 && is_active !== false;
  return isActive && event_action === action && event_object === object && asText(version ?? '2.0').startsWith('2');
}

const earlierNames: ReadonlyMap<JsonValue | undefined, string> = new Map(
  [...earlierActions].map(([earlier, action]) => [action, earlier]),
);

/** Version 1 of the node outputs requests as version 1 of the webhooks had them. */
function earlierShape(body: JsonObject): JsonObject {
  const { data = null, previous = null, meta: rawMeta } = body;
  const meta = objectOf(rawMeta);
  const action = earlierNames.get(meta['action']) ?? textOf(meta['action']);
  const [object, id] = [meta['entity'] ?? null, meta['entity_id'] ?? null];
  return {
    v: 1,
    current: data,
    previous,
    event: `${action}.${textOf(object ?? undefined)}`,
    meta: { ...meta, action, object, id: numeric(id) },
  };
}

/** IDs were numbers in version 1. */
const numeric = (id: JsonValue): JsonValue => (typeof id === 'string' && /^\d{1,15}$/.test(id) ? Number(id) : id);
