import { randomBytes } from 'node:crypto';
import type { JsonObject, NodeType, WebhookContext, WebhookMethods } from '@sluice/node-sdk';
import { choices } from '@sluice/nodes-base/node-tools';
import { asText, objectOf, textOf } from '../../shared/json-values.ts';
import { linkPaging, sendAll } from '../../shared/paging.ts';
import { deliveryOf, isSecret, refuseRequest } from '../../shared/signed-request.ts';
import { authentication, credentials, gitlabClient, owner, pageSize, projectPath, repository } from './gitlab-client.ts';

/** Each value and `_events` is an attribute of a project webhook. */
const events = choices(
  ['note', 'Comment'],
  ['confidential_issues', 'Confidential Issue'],
  ['confidential_note', 'Confidential Comment'],
  ['deployment', 'Deployment'],
  ['issues', 'Issue'],
  ['job', 'Job'],
  ['merge_requests', 'Merge Request'],
  ['pipeline', 'Pipeline'],
  ['push', 'Push'],
  ['releases', 'Release'],
  ['tag_push', 'Tag'],
  ['wiki_page', 'Wiki Page'],
);

/** Receives project events by a webhook. https://docs.gitlab.com/api/project_webhooks/ */
export const gitlabTrigger: NodeType = {
  description: {
    displayName: 'GitLab Trigger',
    name: 'gitlab-trigger',
    group: ['trigger'],
    version: 1,
    description: 'Starts the workflow when something happens in a GitLab project',
    defaults: { name: 'GitLab Trigger' },
    inputs: [],
    outputs: ['main'],
    icon: 'fa:gitlab',
    iconColor: 'orange',
    credentials,
    webhooks: [{ name: 'default', httpMethod: 'POST', responseMode: 'onReceived', path: 'webhook' }],
    properties: [
      authentication,
      owner,
      repository,
      {
        displayName: 'Events',
        name: 'events',
        type: 'multiOptions',
        default: [],
        required: true,
        options: [...choices(['*', 'All Events']), ...events],
        description: 'Events that start an execution',
      },
    ],
  },
  webhookMethods: { default: registration() },
  webhook: async (context) => {
    const { request, staticData } = context;
    const { 'x-gitlab-token': token, 'idempotency-key': delivery } = request.headers;
    if (!isSecret(token, textOf(staticData['secret']))) return refuseRequest(context, 'the token is wrong');
    const { body, headers, query } = request;
    const { 'x-gitlab-token': _, ...shown } = headers;
    return { workflowData: [[{ json: { body, headers: shown, query } as JsonObject }]], ...deliveryOf(delivery) };
  },
};

function registration(): WebhookMethods {
  return {
    async checkExists(context) {
      const { hookId, secret } = context.staticData;
      if (typeof secret !== 'string' || hookId === undefined) return false;
      return (await registered(context)).some(({ id }) => id === hookId);
    },
    checkAddress: async (context) => (await registered(context)).length > 0,
    async create(context) {
      // Without its secret, requests from an earlier webhook could not be verified.
      for (const { id } of await registered(context)) await remove(context, id);
      const secret = randomBytes(32).toString('base64url');
      const created = await gitlabClient.send(context, { path: hooksPath(context), json: hookOf(context, secret) });
      const { id = null } = objectOf(created);
      Object.assign(context.staticData, { hookId: id, secret });
      return true;
    },
    async delete(context) {
      for (const { id } of await registered(context)) await remove(context, id);
      delete context.staticData['hookId'];
      delete context.staticData['secret'];
      return true;
    },
  };
}

/** Sets every event attribute, because GitLab sends push events by default. */
function hookOf(context: WebhookContext, token: string): JsonObject {
  const chosen = [context.parameter<string[]>('events', [])].flat();
  const isChosen = (event: string) => chosen.includes('*') || chosen.includes(event);
  const attributes = events.map(({ value }) => [`${value}_events`, isChosen(asText(value))]);
  return { url: context.webhookUrl(), token, enable_ssl_verification: true, ...Object.fromEntries(attributes) };
}

/** Project webhooks with our address. */
async function registered(context: WebhookContext): Promise<JsonObject[]> {
  const request = { path: hooksPath(context), query: { per_page: pageSize } };
  const hooks = await sendAll(gitlabClient, context, request, linkPaging(''));
  const address = context.webhookUrl();
  return hooks.filter(({ url }) => url === address);
}

function remove(context: WebhookContext, id: JsonObject[string] | undefined): Promise<unknown> {
  return gitlabClient.send(context, { method: 'DELETE', path: `${hooksPath(context)}/${encodeURIComponent(asText(id))}` });
}

function hooksPath(context: WebhookContext): string {
  const required = (name: string) => {
    const value = textOf(context.parameter(name, '')).trim();
    if (value !== '') return value;
    throw new Error(`the parameter "${name}" is required`);
  };
  return projectPath({ required }, '/hooks');
}
