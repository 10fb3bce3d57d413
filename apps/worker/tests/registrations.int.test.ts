import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { type RunningApi, startApi } from '@sluice/api';
import { type Config, toConfig } from '@sluice/config';
import { ensureBootstrap } from '@sluice/db';
import { createLogger } from '@sluice/logger';
import type { NodePackages } from '@sluice/node-packages';
import type { CredentialType, MethodContext, NodeType, WebhookContext } from '@sluice/node-sdk';
import { aNode, eventually, type TestDatabase, testDatabase, testRedisPrefix, testRedisUrl } from '@sluice/test-support';
import { type RunningWorker, startWorker } from '../src/worker.ts';

const key = 'an-owner-key-of-any-format';
const logger = createLogger({ name: 'test', level: 'silent' });

/** A service on the loopback that keeps webhooks, and calls them. */
interface Service {
  url: string;
  hooks: Map<string, { url: string; events: string; level?: string }>;
  requests: string[];
  /** How many requests of a method fail, or hang, from now on. */
  failing: Map<string, number>;
  hanging: boolean;
  /** Whether it asks the address before it agrees. */
  shakesHands: boolean;
  handshakes: string[];
  lastId: number;
}

let server: Server;
let service: Service;
let database: TestDatabase;
let config: Config;
let api: RunningApi;
let workers: RunningWorker[] = [];

const base = {
  group: ['trigger'] as const,
  version: 1,
  description: '',
  inputs: [] as const,
  outputs: ['main'] as const,
  properties: [
    { displayName: 'Service', name: 'service', type: 'string' as const, default: '' },
    { displayName: 'Events', name: 'events', type: 'string' as const, default: 'all' },
    { displayName: 'Level', name: 'level', type: 'string' as const, default: '' },
  ],
};

async function ask(context: MethodContext, method: string, path: string, body?: object) {
  const { site } = await context.credentials('hookApi');
  const authentication = await context.authentication('hookApi');
  const response = await context.http.request(
    {
      method,
      url: `${context.parameter<string>('service')}${path}`,
      headers: { 'x-site': String(site) },
      ...(body && { body: JSON.stringify(body) }),
      authentication,
    },
    context.signal,
  );
  const text = Buffer.from(response.body).toString();
  if (response.status > 299) throw new Error(`the service answered ${response.status}: ${text}`);
  return JSON.parse(text || 'null');
}

const hookTrigger: NodeType = {
  description: {
    ...base,
    displayName: 'Hook trigger',
    name: 'hook-trigger',
    defaults: { name: 'Hook' },
    credentials: [{ name: 'hookApi', required: true, testedBy: 'reachable' }],
    webhooks: [
      { name: 'default', httpMethod: 'POST', responseMode: 'onReceived', path: '={{ $parameter.events }}/events' },
      { name: 'setup', httpMethod: 'GET', responseMode: 'onReceived', path: '={{ $parameter.events }}/events' },
    ],
  },
  webhookMethods: {
    default: {
      async checkExists(context: WebhookContext) {
        const hooks: { id: string; url: string; events: string }[] = await ask(context, 'GET', '/hooks');
        const found = hooks.find(({ url, events }) => url === context.webhookUrl() && events === context.parameter('events'));
        if (found) context.staticData['id'] = found.id;
        return found !== undefined;
      },
      async create(context: WebhookContext) {
        const { id } = await ask(context, 'POST', '/hooks', {
          url: context.webhookUrl(),
          events: context.parameter<string>('events'),
          level: context.parameter<string>('level'),
        });
        context.staticData['id'] = id;
        return true;
      },
      async delete(context: WebhookContext) {
        await ask(context, 'DELETE', `/hooks/${context.staticData['id']}`);
        delete context.staticData['id'];
        return true;
      },
    },
  },
  async webhook({ request, webhookName, staticData, respond, credentials }) {
    if (webhookName === 'setup') return { webhookResponse: `challenge ${request.query['challenge']}` };
    const body = request.body as { kind?: string };
    if (body.kind === 'secret') {
      staticData['secret'] = 's3';
      return {};
    }
    if (body.kind === 'tells') {
      const told = { token: `is ${(await credentials('hookApi'))['token']}` };
      return { webhookResponse: told, workflowData: [[{ json: told }]] };
    }
    if (body.kind === 'throws') throw new Error('no such secret');
    if (body.kind === 'custom') {
      respond({ status: 202, headers: { 'X-Own': 'yes' }, body: { kind: 'text', text: 'mine' } });
      return { noWebhookResponse: true };
    }
    return {
      workflowData: [
        [
          {
            json: {
              got: request.body,
              raw: Buffer.from(request.rawBody).toString(),
              kept: { ...staticData },
              from: request.address,
            },
          },
        ],
      ],
    };
  },
  methods: {
    loadOptions: {
      events: async (context) => [{ name: `All of ${context.parameter('service')}`, value: 'all' }],
      broken: async (context) => {
        throw new Error(`token ${(await context.credentials('hookApi'))['token']} is wrong`);
      },
      shapeless: async () => [{ title: 'x' }] as never,
      slow: () => new Promise(() => undefined),
    },
    listSearch: {
      find: async (_context, filter, paginationToken) => ({
        results: [{ name: `${filter}`, value: `${paginationToken}` }],
        paginationToken: 'next',
      }),
    },
    resourceMapping: { columns: async () => ({ fields: [{ id: 'a', displayName: 'A', type: 'string' }] }) },
    actionHandler: { press: async (_context, payload) => ({ pressed: payload }) },
    credentialTest: {
      reachable: async (data) =>
        data['token'] === 'good-token'
          ? { status: 'OK', message: 'let in' }
          : { status: 'Error', message: `no: ${data['token']}` },
    },
  },
};

const hooked: NodeType = {
  description: {
    ...base,
    displayName: 'Hooked',
    name: 'hooked',
    defaults: { name: 'Hooked' },
    requestDefaults: { baseURL: '={{ $parameter.service }}' },
    hooks: {
      activate: [{ method: 'POST', request: { url: '/started', qs: { events: '={{ $parameter.events }}' } } }],
      deactivate: [{ method: 'POST', request: { url: '/stopped' } }],
    },
    properties: [
      ...base.properties,
      {
        displayName: 'Choice',
        name: 'choice',
        type: 'options',
        default: '',
        typeOptions: {
          loadOptions: {
            routing: {
              request: { method: 'GET', url: '/choices' },
              output: {
                postReceive: [
                  { type: 'rootProperty', properties: { property: 'data' } },
                  { type: 'setKeyValue', properties: { name: '={{ $responseItem.title }}', value: '={{ $responseItem.id }}' } },
                ],
              },
            },
          } as never,
        },
        options: [],
      },
    ],
  },
};

const hookApi: CredentialType = {
  name: 'hookApi',
  displayName: 'Hook',
  properties: [],
  schema: { type: 'object', properties: { token: { type: 'string' } }, required: ['token'] },
  secretFields: ['token'],
  authenticate: { headers: { Authorization: 'Bearer {token}' } },
  complete: (data: object) => ({ site: 'eu', ...data }),
} as never;

const nodePackages: NodePackages = {
  folders: new Map(),
  packages: [{ name: 'acme', version: '1.2.3', nodeTypes: ['acme.hook-trigger'], credentialTypes: ['hookApi'] }],
  nodeTypes: new Map([
    ['acme.hook-trigger', hookTrigger],
    ['acme.hooked', hooked],
  ]),
  credentialTypes: [hookApi],
  failures: [{ package: 'broken', reason: 'nodes/none.js is not there' }],
};

beforeAll(async () => {
  await startService();
  database = await testDatabase();
  const port = await freePort();
  config = toConfig({
    DATABASE_URL: database.url,
    REDIS_URL: testRedisUrl(),
    QUEUE_PREFIX: testRedisPrefix(),
    ENCRYPTION_KEY: 'a-master-key-of-the-tests',
    PORT: String(port),
    PUBLIC_URL: `http://127.0.0.1:${port}`,
    SSRF_PROTECTION: 'off',
  });
  await ensureBootstrap(database.db, { bootstrapApiKey: key });
  api = await startApi(config, { logger, nodePackages });
  await eventually(async () => expect((await call('GET', '/workflows')).status).toBe(200));
});

afterEach(async () => {
  await Promise.all(workers.map((worker) => worker.stop()));
  workers = [];
  service.failing.clear();
  service.hanging = false;
  service.shakesHands = false;
});

afterAll(async () => {
  await api.stop();
  server.closeAllConnections();
  server.close();
  await database.drop();
});

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address() as AddressInfo;
  probe.close();
  await once(probe, 'close');
  return port;
}

async function startService(): Promise<void> {
  service = {
    url: '',
    hooks: new Map(),
    requests: [],
    failing: new Map(),
    hanging: false,
    shakesHands: false,
    handshakes: [],
    lastId: 0,
  };
  server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    service.requests.push(`${request.method} ${request.url}`);
    if (service.hanging) return;
    const left = service.failing.get(request.method ?? '') ?? 0;
    service.failing.set(request.method ?? '', left - 1);
    const isElsewhere = request.headers['x-site'] !== undefined && request.headers['x-site'] !== 'eu';
    if (left > 0 || isElsewhere) response.writeHead(500).end(`failing for ${request.headers.authorization}`);
    else response.end(JSON.stringify(await answerOf(`${request.method} ${request.url}`, Buffer.concat(chunks).toString())));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  service.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

async function answerOf(request: string, body: string): Promise<unknown> {
  if (request === 'GET /choices') return { data: [{ id: 7, title: 'Seven' }] };
  if (request === 'GET /hooks') return [...service.hooks].map(([known, hook]) => ({ id: known, ...hook }));
  if (request === 'POST /hooks') return { id: await addHook(JSON.parse(body)) };
  if (request.startsWith('DELETE /hooks/')) return service.hooks.delete(request.slice('DELETE /hooks/'.length));
  return null;
}

async function addHook(hook: { url: string; events: string }): Promise<string> {
  if (service.shakesHands) {
    service.handshakes.push(await (await fetch(`${hook.url}?challenge=42`)).text());
    const headers = { 'Content-Type': 'application/json' };
    await fetch(hook.url, { method: 'POST', headers, body: JSON.stringify({ kind: 'secret' }) });
  }
  const id = String(++service.lastId);
  service.hooks.set(id, hook);
  return id;
}

// biome-ignore lint/suspicious/noExplicitAny: tests look into answers freely
async function call(method: string, path: string, body?: object): Promise<{ status: number; body: any }> {
  const response = await fetch(`http://127.0.0.1:${api.port}/api/v1${path}`, {
    method,
    headers: { 'X-SERVICE-API-KEY': key, 'Content-Type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  });
  return { status: response.status, body: await response.json() };
}

async function work(more: object = { nodePackages }): Promise<RunningWorker> {
  const worker = await startWorker(config, { logger, ...more });
  workers.push(worker);
  return worker;
}

let credential: { id: string; name: string } | undefined;

async function aCredential() {
  if (!credential) {
    const { body } = await call('POST', '/credentials', { name: 'Hook', type: 'hookApi', data: { token: 'good-token' } });
    credential = { id: body.id, name: 'Hook' };
  }
  return credential;
}

async function aHook(events = 'all', type = 'acme.hook-trigger') {
  const node = aNode({
    id: 'h',
    name: 'Hook',
    type,
    parameters: { service: service.url, events },
    credentials: { hookApi: await aCredential() },
  });
  const { status, body } = await call('POST', '/workflows', { name: 'Hooked', nodes: [node], connections: {} });
  expect([status, body.message]).toEqual([201, undefined]);
  return { id: body.id as string, node };
}

const urls = () => [...service.hooks.values()].map(({ url }) => url);
const rows = async () => (await database.db.kysely.selectFrom('registrations').selectAll().execute()).length;
const hookUrl = (id: string, events = 'all') => `${config.http.publicUrl}/webhook/${id}/h/${events}/events`;

async function ended(): Promise<void> {
  await eventually(async () => expect(await rows()).toBe(0), { timeoutMs: 20_000 });
}

describe('registration at a remote service', () => {
  test('is there once the activation answers, and ended by a worker after the deactivation', async () => {
    const { id } = await aHook();
    expect((await call('POST', `/workflows/${id}/activate`)).status).toBe(200);
    expect(urls()).toEqual([hookUrl(id)]);
    const shown = await call('GET', `/workflows/${id}/triggers`);
    expect(shown.body.registrations).toEqual([
      { nodeName: 'Hook', name: 'webhook:default', state: 'registered', failures: 0, lastError: null, retryAt: null },
    ]);
    await call('POST', `/workflows/${id}/deactivate`);
    await work();
    await ended();
    expect(urls()).toEqual([]);
  });

  test('that fails refuses the activation, names the node, hides secrets, and leaves nothing', async () => {
    const { id } = await aHook();
    service.failing.set('POST', 1);
    const answer = await call('POST', `/workflows/${id}/activate`);
    expect([answer.status, answer.body.code]).toEqual([502, 'REGISTRATION_FAILED']);
    expect(answer.body.message).toMatch(/node "Hook".*the service answered 500/);
    expect(JSON.stringify(answer.body)).not.toContain('good-token');
    expect((await call('GET', `/workflows/${id}`)).body.active).toBe(false);
    await work();
    await ended();
    expect(urls()).toEqual([]);
  });

  test('of a new version that fails leaves the active one as it was', async () => {
    const { id, node } = await aHook('one');
    await call('POST', `/workflows/${id}/activate`);
    await call('PATCH', `/workflows/${id}`, { nodes: [{ ...node, parameters: { ...node.parameters, events: 'two' } }] });
    service.failing.set('POST', 1);
    expect((await call('POST', `/workflows/${id}/activate`)).status).toBe(502);
    expect((await call('GET', `/workflows/${id}`)).body.active).toBe(true);
    await work();
    await eventually(async () => expect(urls()).toEqual([hookUrl(id, 'one')]));
    expect((await call('POST', `/workflows/${id}/activate`)).status).toBe(200);
    expect(urls()).toEqual([hookUrl(id, 'two')]);
    await call('DELETE', `/workflows/${id}`);
    await ended();
    expect(urls()).toEqual([]);
  });

  test('takes what has changed along, also where the service knows the address already', async () => {
    const { id, node } = await aHook();
    const withLevel = (level: string, position: [number, number]) =>
      call('PATCH', `/workflows/${id}`, { nodes: [{ ...node, position, parameters: { ...node.parameters, level } }] });
    await withLevel('low', [0, 0]);
    await call('POST', `/workflows/${id}/activate`);
    await withLevel('high', [0, 0]);
    service.requests.length = 0;
    expect((await call('POST', `/workflows/${id}/activate`)).status).toBe(200);
    expect([...service.hooks.values()]).toEqual([{ url: hookUrl(id), events: 'all', level: 'high' }]);
    const former = expect.stringMatching(/^DELETE \/hooks\/\d+$/);
    expect(service.requests).toEqual(['GET /hooks', former, 'GET /hooks', 'POST /hooks']);
    await withLevel('high', [100, 100]);
    service.requests.length = 0;
    expect((await call('POST', `/workflows/${id}/activate`)).status).toBe(200);
    expect(service.requests).toEqual(['GET /hooks']);
    await call('DELETE', `/workflows/${id}`);
    await work();
    await ended();
    expect(urls()).toEqual([]);
  });

  test('gets another credential where the former one is gone, and what that one made stays', async () => {
    const { body } = await call('POST', '/credentials', { name: 'Old', type: 'hookApi', data: { token: 'old-token' } });
    const { id, node } = await aHook();
    const former = { ...node, credentials: { hookApi: { id: body.id, name: 'Old' } } };
    await call('PATCH', `/workflows/${id}`, { nodes: [former] });
    expect((await call('POST', `/workflows/${id}/activate`)).status).toBe(200);
    expect((await call('DELETE', `/credentials/${body.id}`)).status).toBe(200);
    await call('PATCH', `/workflows/${id}`, { nodes: [node] });
    expect((await call('POST', `/workflows/${id}/activate`)).status).toBe(200);
    await call('DELETE', `/workflows/${id}`);
    await work();
    await ended();
    service.hooks.clear();
  });

  test('is not made twice by a second activation of the same', async () => {
    const { id } = await aHook();
    for (let i = 0; i < 2; i++) expect((await call('POST', `/workflows/${id}/activate`)).status).toBe(200);
    expect(urls()).toEqual([hookUrl(id)]);
    await call('DELETE', `/workflows/${id}`);
    await work();
    await ended();
    expect(urls()).toEqual([]);
  });

  test('may call the address before it agrees, and what that call keeps is kept', async () => {
    const { id } = await aHook();
    service.shakesHands = true;
    service.handshakes.length = 0;
    expect((await call('POST', `/workflows/${id}/activate`)).status).toBe(200);
    expect(service.handshakes).toEqual(['challenge 42']);
    const row = await database.db.kysely
      .selectFrom('registrations')
      .select('data')
      .where('workflow_id', '=', id)
      .executeTakeFirst();
    expect(row?.data).toEqual({ secret: 's3', id: expect.any(String) });
    await call('DELETE', `/workflows/${id}`);
    await work();
    await ended();
  });

  test('that never answers refuses the activation in the end, and holds nobody else up', async () => {
    const { id } = await aHook();
    service.hanging = true;
    const activating = call('POST', `/workflows/${id}/activate`);
    await eventually(async () => expect((await call('GET', `/workflows/${id}/triggers`)).body.registrations).toHaveLength(1));
    expect((await call('POST', `/workflows/${id}/activate`)).status).toBe(409);
    expect((await call('POST', `/workflows/${id}/deactivate`)).status).toBe(200);
    const answer = await activating;
    expect([answer.status, answer.body.message]).toEqual([502, expect.stringContaining('no answer within 20 seconds')]);
    service.hanging = false;
    await work();
    await ended();
  }, 60_000);

  test('whose end fails is tried again, and shown meanwhile', async () => {
    const { id } = await aHook();
    await call('POST', `/workflows/${id}/activate`);
    service.failing.set('DELETE', 1);
    expect((await call('POST', `/workflows/${id}/deactivate`)).status).toBe(200);
    await work();
    await eventually(async () => {
      const { body } = await call('GET', `/workflows/${id}/triggers`);
      expect(body.registrations).toMatchObject([{ state: 'ending', failures: 1, lastError: expect.stringContaining('500') }]);
      expect(JSON.stringify(body)).not.toContain('good-token');
    });
    await database.db.kysely.updateTable('registrations').set({ due_at: new Date() }).execute();
    await ended();
    expect(urls()).toEqual([]);
  });

  test('that a dead process had begun is ended by a worker', async () => {
    const { id } = await aHook();
    await call('POST', `/workflows/${id}/activate`);
    // As an activation leaves it that died before its commit.
    const past = new Date(Date.now() - 1_000);
    await database.db.kysely
      .updateTable('registrations')
      .set({ wanted: false, held_by: 'activation:dead', held_until: past, due_at: past, unwanted_at: past })
      .execute();
    await work();
    await ended();
    expect(urls()).toEqual([]);
  });

  test('whose end fails for a day is given up, loudly, and asked for no more', async () => {
    const { id } = await aHook();
    await call('POST', `/workflows/${id}/activate`);
    await call('POST', `/workflows/${id}/deactivate`);
    const backdate = (hours: number) =>
      database.db.kysely
        .updateTable('registrations')
        .set({ due_at: new Date(), unwanted_at: new Date(Date.now() - hours * 3_600_000) })
        .execute();
    await backdate(23);
    service.failing.set('DELETE', 1_000);
    const errors: object[] = [];
    const loud = createLogger({ name: 'test', level: 'silent' });
    loud.error = (fields: object) => void errors.push(fields);
    await work({ nodePackages, logger: loud });
    await eventually(async () =>
      expect((await call('GET', `/workflows/${id}/triggers`)).body.registrations).toMatchObject([
        { state: 'ending', failures: 1 },
      ]),
    );
    expect(errors).toEqual([]);
    await backdate(25);
    await ended();
    expect(errors).toEqual([expect.objectContaining({ urls: { default: hookUrl(id), setup: hookUrl(id) } })]);
    expect(JSON.stringify(errors)).not.toContain('good-token');
    service.hooks.clear();
  });

  test('that an active workflow has lost is made again', async () => {
    const { id } = await aHook();
    await call('POST', `/workflows/${id}/activate`);
    service.hooks.clear();
    await database.db.kysely.updateTable('registrations').set({ due_at: new Date() }).execute();
    await work();
    await eventually(async () => expect(urls()).toEqual([hookUrl(id)]));
    await call('DELETE', `/workflows/${id}`);
    await ended();
  });

  test('by hooks makes their requests', async () => {
    const { id } = await aHook('x', 'acme.hooked');
    service.requests.length = 0;
    expect((await call('POST', `/workflows/${id}/activate`)).status).toBe(200);
    expect(service.requests).toEqual(['POST /started?events=x']);
    await call('POST', `/workflows/${id}/deactivate`);
    await work();
    await ended();
    expect(service.requests).toEqual(['POST /started?events=x', 'POST /stopped']);
    service.failing.set('POST', 1);
    expect((await call('POST', `/workflows/${id}/activate`)).status).toBe(502);
    await ended();
  });
});

describe('a call of a webhook that the type handles', () => {
  let id: string;
  const post = (body: object) =>
    fetch(hookUrl(id), { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) });

  beforeAll(async () => {
    ({ id } = await aHook());
    expect((await call('POST', `/workflows/${id}/activate`)).status).toBe(200);
  });

  test('starts an execution with what the type gives', async () => {
    await work();
    const answer = (await (await post({ kind: 'event' })).json()) as { executionId: string };
    expect(answer).toMatchObject({ message: 'Workflow was started' });
    await eventually(async () => {
      const { body } = await call('GET', `/executions/${answer.executionId}?includeData=true`);
      expect(body).toMatchObject({ status: 'success', mode: 'webhook' });
      const [run] = body.data.resultData.runData.Hook;
      expect(run.data.main[0][0].json).toMatchObject({ got: { kind: 'event' }, raw: '{"kind":"event"}', from: '127.0.0.1' });
    });
  });

  test('is answered as the type says, and starts nothing then', async () => {
    const before = (await call('GET', '/executions')).body.data.length;
    const setup = await fetch(`${hookUrl(id)}?challenge=7`);
    expect([setup.status, await setup.text()]).toEqual([200, 'challenge 7']);
    const custom = await post({ kind: 'custom' });
    expect([custom.status, custom.headers.get('x-own'), await custom.text()]).toEqual([202, 'yes', 'mine']);
    expect((await post({ kind: 'secret' })).status).toBe(200);
    expect((await call('GET', '/executions')).body.data.length).toBe(before);
  });

  test('gives away no secret of a credential, neither to callers nor to executions', async () => {
    await work();
    const answer = await post({ kind: 'tells' });
    expect([answer.status, await answer.json()]).toEqual([200, { token: 'is ***REDACTED***' }]);
    await eventually(async () => {
      const { body } = await call('GET', '/executions?includeData=true');
      expect(body.data[0].status).toBe('success');
      expect(JSON.stringify(body)).toContain('"token":"is ***REDACTED***"');
      expect(JSON.stringify(body)).not.toContain('good-token');
    });
  });

  test('at which the type throws is answered with 500, and not with what it threw', async () => {
    const answer = await post({ kind: 'throws' });
    const body = await answer.json();
    expect([answer.status, (body as { code: string }).code]).toEqual([500, 'WEBHOOK_FAILED']);
    expect(JSON.stringify(body)).not.toContain('secret');
  });

  test('with another method is refused', async () => {
    expect((await fetch(hookUrl(id), { method: 'PUT' })).status).toBe(405);
  });
});

describe('methods of types', () => {
  const ofType = (path: string, body: object = {}) => call('POST', `/node-types/acme.hook-trigger/methods/${path}`, body);

  test('give choices, pages of choices, fields, and what a button does', async () => {
    const parameters = { service: '={{ "a" + "b" }}' };
    expect(await ofType('loadOptions/events', { parameters })).toEqual({
      status: 200,
      body: { data: [{ name: 'All of ab', value: 'all' }] },
    });
    expect((await ofType('listSearch/find', { filter: 'x', paginationToken: 'p' })).body.data).toEqual({
      results: [{ name: 'x', value: 'p' }],
      paginationToken: 'next',
    });
    expect((await ofType('resourceMapping/columns')).body.data.fields).toHaveLength(1);
    expect((await ofType('actionHandler/press', { payload: { a: 1 } })).body.data).toEqual({ pressed: { a: 1 } });
  });

  test('that nobody has are not found', async () => {
    for (const path of ['loadOptions/none', 'magic/events', 'loadOptions/constructor', 'listSearch/__proto__'])
      expect([path, (await ofType(path)).status]).toEqual([path, 404]);
    expect((await call('POST', '/node-types/acme.none/methods/loadOptions/x', {})).status).toBe(404);
  });

  test('that throw, or give something else, are a 502 without secrets', async () => {
    const credentials = { hookApi: await aCredential() };
    const broken = await ofType('loadOptions/broken', { credentials });
    expect([broken.status, broken.body.code]).toEqual([502, 'NODE_METHOD_FAILED']);
    expect(broken.body.message).toMatch(/^token \*\*\*REDACTED\*\*\* is wrong$/);
    expect((await ofType('loadOptions/shapeless')).body.message).toMatch(/gives what loadOptions does not/);
  });

  test('have the credentials that the request names, and no others', async () => {
    expect((await ofType('loadOptions/broken')).status).toBe(400);
    expect((await ofType('loadOptions/broken', { credentials: { hookApi: { id: 'nobodys' } } })).status).toBe(404);
  });

  test('of a version that is not there are refused', async () => {
    expect((await ofType('loadOptions/events', { typeVersion: 9 })).status).toBe(400);
  });

  test('test credentials, also where a type has no test of its own', async () => {
    const credentials = { hookApi: await aCredential() };
    expect((await ofType('credentialTest/reachable', { credentials })).body.data).toEqual({ status: 'OK', message: 'let in' });
    const tested = await call('POST', '/credentials/test', {
      credentials: { id: '', type: 'hookApi', name: 'x', data: { token: 'bad-token' } },
    });
    expect(tested).toEqual({ status: 200, body: { status: 'error', message: 'no: ***REDACTED***' } });
  });

  test('may be described instead of written', async () => {
    const { body } = await call('POST', '/node-types/acme.hooked/methods/loadOptions/choice', {
      parameters: { service: service.url },
    });
    expect(body.data).toEqual([{ name: 'Seven', value: 7 }]);
  });
});

test('packages are listed with what went wrong', async () => {
  expect((await call('GET', '/node-packages')).body.data).toEqual([
    {
      name: 'acme',
      version: '1.2.3',
      status: 'loaded',
      nodeTypes: ['acme.hook-trigger'],
      credentialTypes: ['hookApi'],
      reason: null,
    },
    {
      name: 'broken',
      version: null,
      status: 'failed',
      nodeTypes: [],
      credentialTypes: [],
      reason: 'nodes/none.js is not there',
    },
  ]);
});

describe('a worker without the types of a graph', () => {
  const start = async () => {
    const node = aNode({ id: 'h', name: 'Hook', type: 'acme.hooked', parameters: { service: service.url } });
    const manual = aNode({ id: 's', name: 'Start', type: 'base.manual-trigger' });
    const { body } = await call('POST', '/workflows', {
      name: 'Foreign',
      nodes: [manual, { ...node, name: 'Hook' }],
      connections: { Start: { main: [[{ node: 'Hook', type: 'main', index: 0 }]] } },
    });
    const response = await fetch(`http://127.0.0.1:${api.port}/api/v1/workflows/${body.id}/run`, {
      method: 'POST',
      headers: { 'X-SERVICE-API-KEY': key, 'Content-Type': 'application/json', Prefer: 'respond-async' },
      body: '{}',
    });
    return ((await response.json()) as { executionId: string }).executionId;
  };
  const execution = async (id: string) => (await call('GET', `/executions/${id}?includeData=true`)).body;

  test('leaves it to one that has them, also while that one restarts', async () => {
    const able = await work();
    await work({});
    await able.stop();
    workers = workers.filter((worker) => worker !== able);
    const ids = [await start(), await start()];
    await delay(1_500);
    for (const id of ids) expect((await execution(id)).status).toBe('new');
    await work();
    for (const id of ids)
      await eventually(async () => expect((await execution(id)).status).toBe('success'), { timeoutMs: 30_000 });
  });

  test('takes it once nobody has had them for a minute, and says which type is missing', async () => {
    await database.db.kysely
      .updateTable('worker_types')
      .set({ seen_at: new Date(Date.now() - 61_000) })
      .execute();
    await work({});
    const id = await start();
    await eventually(async () => {
      const { status, data } = await execution(id);
      expect([status, data?.resultData?.error?.code]).toEqual(['error', 'UNKNOWN_NODE_TYPE']);
    });
  });
});
