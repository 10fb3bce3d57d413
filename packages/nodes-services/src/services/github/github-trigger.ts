import { randomBytes } from 'node:crypto';
import { isJsonObject, type JsonObject, type NodeType, type WebhookContext, type WebhookMethods } from '@sluice/node-sdk';
import { options, toggle } from '@sluice/nodes-base/node-tools';
import { asText, objectOf } from '../../shared/json-values.ts';
import { sendAll } from '../../shared/paging.ts';
import { locatedId } from '../../shared/service-item.ts';
import { deliveryOf, isSigned, refuseRequest } from '../../shared/signed-request.ts';
import { searchRepositories } from './github.ts';
import { githubClient, pageSize, pages } from './github-client.ts';
import { githubEvents } from './github-events.ts';
import { authentication, credentials, owner, ownerUrl, repository, repositoryUrl } from './github-properties.ts';

/** Receives repository events by a webhook. */
export const githubTrigger: NodeType = {
  description: {
    displayName: 'GitHub Trigger',
    name: 'github-trigger',
    group: ['trigger'],
    version: 1,
    description: 'Starts the workflow when something happens in a GitHub repository',
    defaults: { name: 'GitHub Trigger' },
    inputs: [],
    outputs: ['main'],
    icon: 'fa:code-branch',
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
        options: githubEvents,
        description: 'Events that start an execution',
      },
      options([
        toggle('insecureSSL', 'Insecure SSL', 'Whether GitHub sends events even if the certificate of the address is invalid'),
      ]),
    ],
  },
  methods: { listSearch: { getRepositories: searchRepositories } },
  webhookMethods: { default: registration() },
  webhook: async (context) => {
    const { request, staticData } = context;
    const signature = request.headers['x-hub-signature-256'];
    const secret = asText(staticData['secret'] ?? '');
    if (!isSigned(context, { secret, signature, encoding: 'hex', prefix: 'sha256=' })) return refuseRequest(context);
    // GitHub sends it to a new webhook.
    if (request.headers['x-github-event'] === 'ping') return {};
    const { body, headers, query } = request;
    const json = { body, headers, query } as JsonObject;
    return { workflowData: [[{ json }]], ...deliveryOf(headers['x-github-delivery']) };
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
      const created = await githubClient.send(context, { path: hooksPath(context), json: hookOf(context, secret) });
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

function hookOf(context: WebhookContext, secret: string): JsonObject {
  const events = [context.parameter<string[]>('events', [])].flat();
  const isInsecure = context.parameter('options.insecureSSL', false);
  return {
    name: 'web',
    active: true,
    events: events.includes('*') ? ['*'] : events,
    config: { url: context.webhookUrl(), content_type: 'json', insecure_ssl: isInsecure ? '1' : '0', secret },
  };
}

/** Repository webhooks with our address. */
async function registered(context: WebhookContext): Promise<JsonObject[]> {
  const request = { path: hooksPath(context), query: { per_page: pageSize } };
  const hooks = await sendAll(githubClient, context, request, pages);
  const url = context.webhookUrl();
  return hooks.filter(({ config }) => isJsonObject(config) && config['url'] === url);
}

function remove(context: WebhookContext, id: JsonObject[string] | undefined): Promise<unknown> {
  return githubClient.send(context, { method: 'DELETE', path: `${hooksPath(context)}/${encodeURIComponent(asText(id))}` });
}

function hooksPath(context: WebhookContext): string {
  const source = {
    parameter: <T extends JsonObject[string]>(path: string, _: number, fallback?: T) => context.parameter<T>(path, fallback),
  };
  const [name, repo] = [locatedId(source, 'owner', 0, ownerUrl), locatedId(source, 'repository', 0, repositoryUrl)];
  return `/repos/${encodeURIComponent(name)}/${encodeURIComponent(repo)}/hooks`;
}
