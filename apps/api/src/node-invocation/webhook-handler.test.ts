import { expect, test } from '@jest/globals';
import { GraphCache } from '@sluice/db';
import type { WorkflowGraph } from '@sluice/domain';
import { isRegistered, webhookContext, webhookRegistration } from '@sluice/engine';
import type { NodeType, WebhookResponse } from '@sluice/node-sdk';
import type { HandledRoute, ReadRequest, WebhookHandlerOptions } from './webhook-handler.ts';
import { WebhookHandler } from './webhook-handler.ts';

const node = { id: 'h', name: 'Hook', type: 'acme.hook', position: [0, 0], parameters: {} };
const graph = { name: 'Hooked', nodes: [node], connections: {} } as unknown as WorkflowGraph;

/**
 * A handler for a type that by default responds with the name of its node, and the hashes of the
 * graphs that it has read.
 */
function aHandler(
  webhook: NonNullable<NodeType['webhook']> = async () => ({ webhookResponse: node.name }),
  identify: WebhookHandlerOptions['identity']['identify'] = async () => undefined,
  more: Pick<WebhookHandlerOptions, 'timeoutMs'> = {},
) {
  const readHashes: string[] = [];
  const hidden: string[] = [];
  const graphCache = new GraphCache({
    findSized: async (_, hash) => {
      readHashes.push(hash);
      return { graph: graph as never, bytes: 100 };
    },
  });
  const type = { description: {}, webhook };
  const nodes = {
    credentialsOf: () => ({
      hide: (secret: string) => void hidden.push(secret),
      scrubber: { scrubText: (text: string) => text, scrubJson: (json: string) => json },
    }),
    run: (_credentials: unknown, _fields: object, work: () => unknown) => work(),
    functions: async () => ({ webhookContext, webhookRegistration, isRegistered }),
    open: async () => ({ node, type, workflow: { id: 'w' }, context: {} }),
  };
  const logger = { debug() {}, info() {}, warn() {}, error() {} };
  const registrations = { find: async () => undefined };
  const options = {
    nodes,
    graphCache,
    registrations,
    credentialUses: {},
    identity: { identify },
    publicUrl: 'https://sluice.example',
    logger,
    ...more,
  };
  return { readHashes, hidden, handler: new WebhookHandler(options as unknown as WebhookHandlerOptions) };
}

const head = { method: 'POST', url: '/webhook/w/h/events', headers: {}, query: {}, segments: ['w', 'h', 'events'] };
const aRequest = { head, body: null, binary: {}, rawBody: new Uint8Array() } as unknown as ReadRequest;
const aRoute = (graphHash: string) =>
  ({
    method: 'POST',
    workflowId: 'w',
    nodeName: 'Hook',
    output: 0,
    graphHash,
    spec: { kind: 'webhook', path: 'w/h/events', methods: ['POST'], described: { name: 'default', handled: true } },
  }) as unknown as HandledRoute;

test('requests to a workflow version read its graph once', async () => {
  const { readHashes, handler } = aHandler();
  for (const hash of ['one', 'one', 'two', 'one']) {
    const { response } = await handler.handle(aRoute(hash), aRequest);
    expect(response?.body).toEqual({ kind: 'text', text: 'Hook' });
  }
  expect(readHashes).toEqual(['one', 'two']);
});

const good = { status: 200, headers: {}, body: { kind: 'text', text: 'x' } };

test('a type can respond directly with any valid HTTP response', async () => {
  const { handler } = aHandler(async ({ respond }) => {
    respond(good as WebhookResponse);
    return { noWebhookResponse: true };
  });
  expect((await handler.handle(aRoute('one'), aRequest)).response).toEqual(good);
});

test('a response that is sent after the handler returns is awaited up to the request timeout', async () => {
  const late = aHandler(async ({ respond }) => {
    setImmediate(() => respond(good as WebhookResponse));
    return { noWebhookResponse: true };
  });
  expect((await late.handler.handle(aRoute('one'), aRequest)).response).toEqual(good);
  const never = aHandler(async () => ({ noWebhookResponse: true }), undefined, { timeoutMs: 20 });
  expect((await never.handler.handle(aRoute('one'), aRequest)).response).toMatchObject({ status: 200, body: { kind: 'none' } });
});

test.each<object>([
  { status: 'abc' },
  { status: 99 },
  { status: 100 },
  { status: 103 },
  { headers: { 'not a name': 'x' } },
  { body: { kind: 'file', file: { id: '1' } } },
  { body: undefined },
])('a response that is not valid HTTP, or not allowed for a webhook, fails the request: %j', async (changes) => {
  const { handler } = aHandler(async ({ respond }) => {
    respond({ ...good, ...changes } as WebhookResponse);
    return { noWebhookResponse: true };
  });
  await expect(handler.handle(aRoute('one'), aRequest)).rejects.toMatchObject({ code: 'WEBHOOK_FAILED' });
});

test('any error that a type throws fails the request', async () => {
  const { handler } = aHandler(() => Promise.reject(Object.create(null)));
  await expect(handler.handle(aRoute('one'), aRequest)).rejects.toMatchObject({ code: 'WEBHOOK_FAILED' });
});

test('each key is identified once, and a valid key is removed from the response', async () => {
  const lookups: unknown[] = [];
  const webhook: NodeType['webhook'] = async ({ identify }) => {
    const users = await Promise.all(['good', 'wrong', 'good'].map((key) => identify?.(key)));
    return { webhookResponse: users.map((user) => user?.email ?? null) };
  };
  const { handler, hidden } = aHandler(webhook, async (key, call) => {
    lookups.push([key, call]);
    return key === 'good' ? { id: 'u', email: 'ann@example.com', mayStart: true } : undefined;
  });
  const called = { ...aRequest, head: { ...aRequest.head, address: '192.0.2.7' } } as ReadRequest;
  const { response } = await handler.handle(aRoute('one'), called);
  expect(response?.body).toEqual({ kind: 'json', json: ['ann@example.com', null, 'ann@example.com'] });
  const from = { workflowId: 'w', address: '192.0.2.7' };
  expect(lookups).toEqual([
    ['good', from],
    ['wrong', from],
  ]);
  expect(hidden).toEqual(['good']);
});
