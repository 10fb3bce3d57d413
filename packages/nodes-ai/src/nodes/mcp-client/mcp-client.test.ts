import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { checkParameters, type JsonObject, type MethodContext } from '@sluice/node-sdk';
import { fakeContext, memoryBinary } from '@sluice/nodes-base/testing';
import { longestBusy } from '@sluice/test-support';
import { type McpTestServer, mcpTestServer } from '../../testing/mcp-server.ts';
import { aiEngine } from '../../testing/run-ai.ts';
import { mcpClient } from './mcp-client.ts';

const engine = aiEngine({
  bearer: { token: 'secret-1' },
  header: { name: 'x-key', value: 'secret-1' },
  elsewhere: { token: 'secret-1', url: 'https://other.example' },
});
const text = (value: string, more: JsonObject = {}): JsonObject => ({ content: [{ type: 'text', text: value }], ...more });
const tools = ['load', 'save'].map((name) => ({
  name,
  inputSchema: {
    type: 'object',
    properties: { id: { type: 'integer' }, city: { type: ['string', 'null'] }, all: { type: 'boolean' }, any: true },
    required: ['id'],
  },
}));
let server: McpTestServer;
let respond: (name: string, args: JsonObject) => JsonObject | Promise<JsonObject> = () => text('ok');

beforeAll(async () => {
  server = await mcpTestServer({ tools, pageSize: 1, call: (name, args) => respond(name, args) });
});
afterEach(() => {
  server.headers.length = 0;
  server.calls.length = 0;
  respond = () => text('ok');
});
afterAll(() => Promise.all([engine.close(), server.close()]));

const locator = { __rl: true, mode: 'list', value: 'load', cachedResultName: 'load' };
const schema = [
  { id: 'id', type: 'number', required: true, removed: false },
  { id: 'city', type: 'string', removed: false },
  { id: 'all', type: 'boolean', removed: true },
];
const mapped = (value: JsonObject | null, more: JsonObject = {}): JsonObject => ({
  parameters: { mappingMode: 'defineBelow', value, schema, matchingColumns: [], attemptToConvertTypes: false, ...more },
});

interface Setup {
  typeVersion?: number;
  parameters?: JsonObject;
  items?: readonly JsonObject[];
  credentials?: Record<string, string>;
  signal?: AbortSignal;
}

async function run({ typeVersion = 1, parameters = {}, items = [{}], credentials = {}, signal }: Setup = {}) {
  const binary = memoryBinary();
  const all = { endpointUrl: `${server.origin}/mcp`, tool: locator, options: {}, ...parameters };
  expect(checkParameters(mcpClient, all, typeVersion, { onSave: true })).toEqual([]);
  const { outcome, json, records } = await engine.run(
    { Call: { type: '@n8n/n8n-nodes-langchain.mcpClient', typeVersion, parameters: all, credentials } },
    items,
    { binary, ...(signal && { signal }) },
  );
  const files = records.find(({ nodeName }) => nodeName === 'Call')?.run.data?.['main']?.[0]?.[0]?.binary;
  return { outcome, json: json('Call'), files };
}

test.each([1, 1.1])(
  'version %d calls the tool for each item, with values of the types of its arguments',
  async (typeVersion) => {
    respond = (_, { id }) => text(`row ${String(id)}`);
    const value = { id: '={{ $json.id }}', city: '={{ $json.city }}', all: true, other: null };
    const items = [
      { id: '7', city: 8010 },
      { id: 8, city: 'Graz' },
    ];
    const { json } = await run({ typeVersion, parameters: mapped(value), items });
    expect(server.calls).toEqual([
      { name: 'load', arguments: { id: 7, city: '8010' } },
      { name: 'load', arguments: { id: 8, city: 'Graz' } },
    ]);
    expect(json).toEqual([text('row 7'), text('row 8')]);
  },
);

test.each<[string, JsonObject, JsonObject]>([
  ['of the item that the schema lists', mapped(null, { mappingMode: 'autoMapInputData' }), { id: 1, city: 'Rome' }],
  ['written as JSON', { inputMode: 'json', jsonInput: '{ "filter": { "deep": [1] } }' }, { filter: { deep: [1] } }],
  ['of an expression', { inputMode: 'json', jsonInput: '={{ JSON.stringify({ id: $json.id }) }}' }, { id: 1 }],
  ['that are not there', {}, {}],
])('arguments %s', async (_, parameters, expected) => {
  await run({ parameters, items: [{ id: 1, city: 'Rome', secret: 'x', all: true }] });
  expect(JSON.stringify(server.calls[0]?.['arguments'])).toBe(JSON.stringify(expected));
});

test.each<[JsonObject, JsonObject]>([
  [text('{"rows":[1]}'), { content: [{ type: 'text', text: { rows: [1] } }] }],
  [text('{ no JSON'), text('{ no JSON')],
  [text('5'), text('5')],
  [
    { content: [], structuredContent: { n: 1 } },
    { content: [], structuredContent: { n: 1 } },
  ],
  [
    { content: [{ type: 'resource', resource: { uri: 'file:///a', text: 'in' } }] },
    {
      content: [{ type: 'resource', resource: { uri: 'file:///a', text: 'in' } }],
    },
  ],
])('the result %j becomes %j', async (result, expected) => {
  respond = () => result;
  expect((await run()).json).toEqual([expected]);
});

test('images and audio become files, unless the node keeps them as Base64', async () => {
  const parts = [
    { type: 'image', data: Buffer.from('pixels').toString('base64'), mimeType: 'image/png' },
    { type: 'text', text: 'a picture' },
    { type: 'audio', data: 'AAAA', mimeType: 'audio/wav' },
  ];
  respond = () => ({ content: parts });
  const { json, files } = await run();
  expect(json).toEqual([text('a picture')]);
  expect(files).toMatchObject({
    data_0: { mimeType: 'image/png', fileSize: 6 },
    data_1: { mimeType: 'audio/wav', fileSize: 3 },
  });
  expect((await run({ parameters: { options: { convertToBinary: false } } })).json).toEqual([{ content: parts }]);
});

test.each<[string, Setup, object]>([
  ['the text of a failed call', {}, { message: 'no such city' }],
  [
    'an address of another protocol',
    { parameters: { endpointUrl: 'ftp://x' } },
    { message: expect.stringContaining('not a URL') },
  ],
  [
    'a slow tool',
    { parameters: { tool: 'save', options: { timeout: 500 } } },
    { message: expect.stringMatching(/timed out/i) },
  ],
])('%s is the error', async (_, setup, error) => {
  respond = (name) => (name === 'save' ? new Promise(() => {}) : text('no such city', { isError: true }));
  expect((await run(setup)).outcome).toMatchObject({ status: 'error', error });
});

test('a cancellation ends a call in progress', async () => {
  const stop = new AbortController();
  respond = () => {
    stop.abort(new Error('stopped'));
    return new Promise(() => {});
  };
  expect((await run({ signal: stop.signal })).outcome.status).toBe('aborted');
});

test.each<[string, Record<string, string>, string, string]>([
  ['bearerAuth', { httpBearerAuth: 'bearer' }, 'authorization', 'Bearer secret-1'],
  ['headerAuth', { httpHeaderAuth: 'header' }, 'x-key', 'secret-1'],
])('%s is attached to each request', async (authentication, credentials, header, value) => {
  await run({ parameters: { authentication }, credentials });
  expect(new Set(server.headers.map((headers) => headers[header]))).toEqual(new Set([value]));
});

test('a credential for another host is not sent', async () => {
  const { outcome } = await run({ parameters: { authentication: 'bearerAuth' }, credentials: { httpBearerAuth: 'elsewhere' } });
  expect(outcome).toMatchObject({ status: 'error', error: { code: 'CREDENTIAL_HOST_NOT_ALLOWED' } });
  expect(server.headers).toEqual([]);
});

test('works over SSE; an authentication that registers clients is rejected', async () => {
  const parameters = { serverTransport: 'sse', endpointUrl: `${server.origin}/sse` };
  expect((await run({ parameters })).json).toEqual([text('ok')]);
  const { outcome } = await run({ parameters: { authentication: 'mcpOAuth2Api' } });
  expect(outcome).toMatchObject({ error: { message: expect.stringContaining('not supported') } });
});

test('editor lists contain the tools of all pages, and the arguments of the selected tool', async () => {
  const { createHttpClient } = await import('@sluice/http-client');
  const client = createHttpClient({ ssrfProtection: 'on', ssrfAllow: ['127.0.0.1'], ownEndpoints: [] });
  const parameters: JsonObject = { endpointUrl: `${server.origin}/mcp`, tool: locator };
  const context = {
    ...fakeContext({ http: client, typeVersion: 1, signal: new AbortController().signal }),
    parameter: (path: string, fallback?: unknown) => parameters[path] ?? fallback,
  } as unknown as MethodContext;
  expect(await mcpClient.methods?.listSearch?.['getTools']?.(context, 'SA')).toEqual({
    results: [{ name: 'save', value: 'save' }],
  });
  const { fields } = (await mcpClient.methods?.resourceMapping?.['getToolParameters']?.(context)) ?? {};
  expect(fields).toEqual([
    { id: 'id', displayName: 'id', type: 'number', required: true },
    { id: 'city', displayName: 'city', type: 'string', required: false },
    { id: 'all', displayName: 'all', type: 'boolean', required: false },
    { id: 'any', displayName: 'any', type: 'string', required: false },
  ]);
});

test('results with many parts, and deeply nested JSON, never block the event loop', async () => {
  const deep = `${'['.repeat(500_000)}`;
  respond = (name) =>
    name === 'save' ? text(deep) : { content: Array.from({ length: 50_000 }, () => ({ type: 'text', text: '{}' })) };
  const busy = await longestBusy(async () => {
    expect((await run()).json[0]?.['content']).toHaveLength(1_000);
    expect((await run({ parameters: { tool: 'save' } })).json).toEqual([text(deep)]);
  });
  expect(busy).toBeLessThan(250);
});
