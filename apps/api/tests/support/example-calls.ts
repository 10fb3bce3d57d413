import { SignInRepository } from '@sluice/db';
import { randomId } from '@sluice/domain';
import { type NodePackages, noNodePackages } from '@sluice/node-packages';
import type { NodeType } from '@sluice/node-sdk';
import { aNode, aSmallWorkflow } from '@sluice/test-support';
import type { TestApi } from './test-api.ts';

/** IDs that example requests use. */
export interface Things {
  projectId: string;
  workflowId: string;
  versionId: string;
  /** An execution that has not started. */
  executionId: string;
  credentialId: string;
  /** ID of a file that does not exist. */
  binaryId: string;
  tagId: string;
  keyId: string;
  /** A user without membership in the project. */
  userId: string;
  subscriptionId: string;
  deliveryId: string;
  /** A data table with the column `a`. */
  dataTableId: string;
  columnId: string;
  /** A sign-in link's token. */
  linkToken: string;
  /** Another project. */
  destinationId: string;
}

/** A graph with a webhook at its own path. */
export function aCalledGraph({ workflowId }: Pick<Things, 'workflowId'>) {
  const webhook = aNode({
    name: 'Webhook',
    type: 'base.webhook',
    typeVersion: 2,
    parameters: { path: `called-${workflowId}` },
  });
  return { ...aSmallWorkflow(), nodes: [webhook], connections: {} };
}

const aSubscription = { name: 's', url: 'https://events.invalid/', events: ['execution.failed'] };
const basicAuth = { name: 'c', type: 'httpBasicAuth', data: { user: 'u', password: 'p' } };

const aFilter = { type: 'and', filters: [{ columnName: 'id', condition: 'gte', value: 1 }] };

/** Endpoint with a required or useful body → a valid body. */
const bodies: Readonly<Record<string, (things: Things) => object>> = {
  'POST /workflows': ({ projectId }) => ({ ...aSmallWorkflow(), projectId }),
  'PATCH /workflows/:id': () => ({ name: 'other' }),
  'PUT /workflows/:id/transfer': ({ destinationId }) => ({ destinationProjectId: destinationId }),
  'POST /workflows/:id/test-urls': (things) => ({ workflowData: aCalledGraph(things) }),
  'POST /workflows/:id/expressions': () => ({ nodeName: 'Start' }),
  'POST /tags': ({ workflowId }) => ({ name: `tag of ${workflowId}` }),
  'PATCH /tags/:id': ({ workflowId }) => ({ name: `other tag of ${workflowId}` }),
  'PATCH /executions/:id': () => ({ annotation: { vote: 'up' } }),
  'POST /executions/delete': ({ executionId }) => ({ ids: [executionId] }),
  'POST /executions/stopMany': ({ workflowId }) => ({ filter: { workflowId, status: ['queued'] } }),
  'POST /credentials': ({ projectId }) => ({ ...basicAuth, projectId }),
  'PATCH /credentials/:credentialId': () => ({ name: 'other' }),
  'POST /credentials/test': ({ credentialId }) => ({ credentials: { id: credentialId, type: basicAuth.type } }),
  'PUT /credentials/:credentialId/share': ({ destinationId }) => ({ shareWithIds: [destinationId] }),
  'PUT /credentials/:credentialId/transfer': ({ destinationId }) => ({ destinationProjectId: destinationId }),
  'POST /api-keys': () => ({ label: 'other', scopes: ['workflow:read'] }),
  'PATCH /api-keys/:id': () => ({ label: 'other' }),
  'POST /sessions': ({ linkToken }) => ({ token: linkToken }),
  'POST /users': ({ workflowId }) => ({ email: `${workflowId}@example.com`, role: 'member' }),
  'PATCH /users/:id': () => ({ role: 'member' }),
  'POST /projects': () => ({ name: 'other' }),
  'PATCH /projects/:id': () => ({ name: 'other' }),
  'POST /event-subscriptions': ({ projectId }) => ({ ...aSubscription, projectId }),
  'PATCH /event-subscriptions/:id': () => ({ name: 'other' }),
  'POST /data-tables': ({ projectId, workflowId }) => ({ projectId, name: `table of ${workflowId}` }),
  'PATCH /data-tables/:id': ({ workflowId }) => ({ name: `other table of ${workflowId}` }),
  'POST /data-tables/:id/columns': ({ workflowId }) => ({ name: `c_${workflowId.replaceAll(/\W/g, '_')}`, type: 'string' }),
  'PATCH /data-tables/:id/columns/:columnId': () => ({ name: 'a' }),
  'POST /data-tables/:id/rows': () => ({ data: [{ a: 'x' }] }),
  'PATCH /data-tables/:id/rows': () => ({ filter: aFilter, data: { a: 'y' } }),
  'POST /data-tables/:id/rows/upsert': () => ({ filter: aFilter, data: { a: 'z' } }),
  'POST /projects/:id/members': ({ userId }) => ({ userId, role: 'project:viewer' }),
  'PATCH /projects/:id/members/:userId': () => ({ role: 'project:editor' }),
};

/** First part of a path → the object that its `:id` identifies. */
const ids: Readonly<Record<string, keyof Things>> = {
  workflows: 'workflowId',
  executions: 'executionId',
  'binary-data': 'binaryId',
  tags: 'tagId',
  'api-keys': 'keyId',
  users: 'userId',
  projects: 'projectId',
  'event-subscriptions': 'subscriptionId',
  'data-tables': 'dataTableId',
};

/** Endpoint with a required query → a valid query. */
const queries: Readonly<Record<string, Record<string, string>>> = {
  'DELETE /data-tables/:id/rows': { filter: JSON.stringify(aFilter) },
};

/** A valid query for an endpoint, with its question mark; empty if no query is required. */
export function queryOf(endpoint: string): string {
  const query = queries[endpoint];
  return query ? `?${new URLSearchParams(query)}` : '';
}

/** A valid body for an endpoint (`POST /workflows`); `undefined` if no body is required. */
export function bodyOf(endpoint: string, things: Things): object | undefined {
  return bodies[endpoint]?.(things);
}

/** A method of a node type: see `chooser`. */
const method: Readonly<Record<string, string>> = { type: 'test.chooser', kind: 'loadOptions', method: 'any' };

/** The path of an endpoint with its parameters filled in. */
export function pathOf(endpoint: string, things: Things): string {
  const [, path = ''] = endpoint.split(' ');
  const [, resource = ''] = path.split('/');
  const filled = path.replaceAll(/:(\w+)/g, (_, name: string) => {
    if (path.includes('/methods/')) return method[name] ?? '';
    if (name === 'type') return resource?.startsWith('credential') ? basicAuth.type : 'base.set';
    return things[name === 'id' ? (ids[resource] as keyof Things) : (name as keyof Things)];
  });
  return `${filled}${queryOf(endpoint)}`;
}

const chooser: NodeType = {
  description: {
    displayName: 'Chooser',
    name: 'chooser',
    group: ['transform'],
    version: 1,
    description: '',
    defaults: { name: 'Chooser' },
    inputs: ['main'],
    outputs: ['main'],
    properties: [],
  },
  execute: () => [],
  methods: { loadOptions: { any: async () => [] } },
};

/** Packages that the API needs for requests to `method`. */
export const chooserPackage: NodePackages = { ...noNodePackages, nodeTypes: new Map([['test.chooser', chooser]]) };

/** Names of the objects that a request uses. */
export function namedIn(request: (things: Things) => unknown): ReadonlySet<string> {
  const named = new Set<string>();
  const get = (_: Things, name: string | symbol) => {
    named.add(String(name));
    return String(name);
  };
  request(new Proxy<Things>({} as Things, { get }));
  return named;
}

/** New objects of a project; if `needed` is given, only those objects. */
export async function someThings(
  api: TestApi,
  projectId: string,
  destinationId: string,
  needed?: ReadonlySet<string>,
): Promise<Things> {
  const make = async (path: string, body?: object) => (await api.call('POST', path, { body })).body;
  const isNeeded = (...names: (keyof Things)[]) => needed === undefined || names.some((name) => needed.has(name));
  const ofWorkflow = async () => {
    if (!isNeeded('workflowId', 'versionId', 'executionId')) return undefined;
    const workflow = await make('/workflows', { ...aSmallWorkflow(), projectId });
    const executionId = isNeeded('executionId') ? (await make(`/workflows/${workflow.id}/run`)).executionId : undefined;
    return { workflowId: workflow.id, versionId: workflow.versionId, executionId };
  };
  const ofSubscription = async () => {
    if (!isNeeded('subscriptionId', 'deliveryId')) return undefined;
    // A project has at most 20.
    const { data: subscriptions } = (await api.call('GET', `/event-subscriptions?projectId=${projectId}`)).body;
    const subscription = subscriptions[0] ?? (await make('/event-subscriptions', { ...aSubscription, projectId }));
    return { subscriptionId: subscription.id, deliveryId: (await make(`/event-subscriptions/${subscription.id}/test`)).id };
  };
  const ofTable = async () => {
    if (!isNeeded('dataTableId', 'columnId')) return undefined;
    const table = await aDataTable(api, projectId);
    return { dataTableId: table.id, columnId: table.columns[0]?.id };
  };
  const ofUser = async () => {
    if (!isNeeded('userId', 'linkToken')) return undefined;
    const { user } = await api.newUser('member');
    return { userId: user.id, linkToken: await new SignInRepository(api.db.kysely).createLink(user.id, 60_000) };
  };
  const idOf = async (name: keyof Things, path: string, body: object) =>
    isNeeded(name) ? { [name]: (await make(path, body)).id } : undefined;
  const things = await Promise.all([
    ofWorkflow(),
    ofSubscription(),
    ofTable(),
    ofUser(),
    idOf('tagId', '/tags', { name: `tag ${randomId()}` }),
    idOf('credentialId', '/credentials', { ...basicAuth, projectId }),
    idOf('keyId', '/api-keys', { label: 'l', scopes: [] }),
  ]);
  const binaryId = '5f0d3c9a7be1482690d4f3b17ac85e2d6b90f4c81e37a52d';
  return Object.assign({ projectId, destinationId, binaryId } as Things, ...things);
}

/** One with the column `a` and a row. A project has at most 100. */
async function aDataTable(api: TestApi, projectId: string): Promise<{ id: string; columns: { id: string }[] }> {
  const { data: tables } = (await api.call('GET', `/data-tables?projectId=${projectId}`)).body;
  const existing = tables.find(({ columns }: { columns: { name: string }[] }) => columns[0]?.name === 'a');
  if (existing) return existing;
  const columns = [{ name: 'a', type: 'string' }];
  const { body: created } = await api.call('POST', '/data-tables', {
    body: { projectId, name: `table ${randomId()}`, columns },
  });
  await api.call('POST', `/data-tables/${created.id}/rows`, { body: { data: [{ a: 'first' }] } });
  return created;
}
