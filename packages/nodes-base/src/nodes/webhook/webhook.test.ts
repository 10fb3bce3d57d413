import { describe, expect, test } from '@jest/globals';
import type { JsonObject, WebhookTrigger, WorkflowNode } from '@sluice/node-sdk';
import { fakeContext, runNode } from '../../testing/fake-context.ts';
import { webhook } from './webhook.ts';
import { webhookTrigger } from './webhook-trigger.ts';

function triggerOf(parameters: JsonObject, typeVersion = 2.1, more: Partial<WorkflowNode> = {}): WebhookTrigger {
  const { node, parameter } = fakeContext({ parameters: { path: 'a', ...parameters } });
  const workflow = { id: 'w', name: 'W', settings: {} };
  return webhookTrigger({ node: { ...node, ...more }, typeVersion, parameter, workflow });
}

test('passes on the item that a request creates', async () => {
  const items = [{ json: { body: { a: 1 } }, binary: { data: { id: 'f', mimeType: 'text/plain' } } }];
  expect(await runNode(webhook, { inputs: [items] })).toEqual([items]);
});

test('by default accepts GET requests and responds immediately', () => {
  expect(triggerOf({})).toEqual({
    kind: 'webhook',
    methods: ['GET'],
    path: 'a',
    files: { take: 'all' },
    response: { mode: 'onReceived', status: 200, headers: {}, data: 'noData' },
  });
});

describe('the path', () => {
  test.each<[string, string | undefined, string]>([
    ['/orders/', 'id', 'orders'],
    ['orders/:id', 'hook', 'hook/orders/:id'],
    ['orders/:id', undefined, 'orders/:id'],
    [':id', 'hook', 'hook/:id'],
    ['', 'hook', 'hook'],
  ])('%j of a node with ID %j is %s', (path, webhookId, expected) => {
    expect(triggerOf({ path }, 2, webhookId === undefined ? {} : { webhookId }).path).toBe(expected);
  });

  test.each([
    '',
    ':id',
    'a//b',
    'a b',
    'a?b',
    'a/:x/:x',
    'a/:',
    'a:b',
    `a/${'b/'.repeat(60)}c`,
    '.',
    '..',
    'a/../b',
    'a/./b',
    '\ud800',
  ])('%j is refused', (path) => {
    expect(() => triggerOf({ path })).toThrow(/path/);
  });

  test('after an ID that is not a valid path segment is refused', () => {
    for (const webhookId of ['..', 'a/b', 'a b']) expect(() => triggerOf({ path: ':id' }, 2, { webhookId })).toThrow(/path/);
  });
});

describe('the methods', () => {
  test('may be several, each with an output', () => {
    const parameters = { multipleMethods: true, httpMethod: ['GET', 'POST', 'GET'] };
    expect(triggerOf(parameters).methods).toEqual(['GET', 'POST']);
    expect(webhook.outputs?.(parameters, 2)).toEqual(['main', 'main']);
    expect(webhook.outputs?.({ httpMethod: 'POST' }, 2)).toEqual(['main']);
  });

  test.each([
    [{ httpMethod: 'TRACE' }],
    [{ multipleMethods: true, httpMethod: [] }],
    [{ multipleMethods: true, httpMethod: ['BREW'] }],
  ])('%j are refused', (parameters) => {
    expect(() => triggerOf(parameters)).toThrow(/method/i);
  });
});

describe('files', () => {
  test.each<[number, JsonObject, JsonObject]>([
    [1, {}, { take: 'none' }],
    [1, { binaryData: true, binaryPropertyName: 'file' }, { take: 'body', property: 'file' }],
    [1.1, {}, { take: 'all' }],
    [2, { binaryPropertyName: 'file' }, { take: 'all', property: 'file' }],
    [2.1, { rawBody: true }, { take: 'body' }],
  ])('of version %d with %j: %j', (typeVersion, options, files) => {
    expect(triggerOf({ options }, typeVersion).files).toEqual(files);
  });
});

describe('the response', () => {
  test.each<[number, JsonObject, number]>([
    [1.1, { responseCode: 201 }, 201],
    [2, { options: { responseCode: { values: { responseCode: 404 } } } }, 404],
    [2.1, { options: { responseCode: { values: { responseCode: 'customCode', customCode: 418 } } } }, 418],
    [2.1, { responseMode: 'responseNode', options: { responseCode: { values: { responseCode: 404 } } } }, 200],
  ])('of version %d with %j has status %d', (typeVersion, parameters, status) => {
    expect(triggerOf(parameters, typeVersion).response.status).toBe(status);
  });

  test('may be a string, or empty', () => {
    expect(triggerOf({ options: { responseData: 'OK' } }).response).toMatchObject({ body: 'OK' });
    expect(triggerOf({ options: { noResponseBody: true } }).response).toMatchObject({ withoutBody: true });
  });

  test('may be the last node’s output', () => {
    const options = {
      responsePropertyName: 'a.b',
      responseContentType: 'text/csv',
      responseHeaders: { entries: [{ name: 'X-A', value: 'b\r\nX-C: d' }] },
    };
    expect(triggerOf({ responseMode: 'lastNode', options }).response).toEqual({
      mode: 'lastNode',
      status: 200,
      headers: { 'X-A': 'b  X-C: d' },
      data: 'firstEntryJson',
      property: 'a.b',
      contentType: 'text/csv',
    });
  });

  test('processes many values of one header in linear time', () => {
    const entries = Array.from({ length: 300_000 }, (_, index) => ({ name: 'X-A', value: index }));
    const { headers } = triggerOf({ options: { responseHeaders: { entries } } }).response;
    expect([headers['X-A']?.length, headers['X-A']?.at(-1)]).toEqual([300_000, '299999']);
  });

  test.each([
    [{ options: { onlyRunIf: 'x' } }, 'onlyRunIf'],
    [{ authentication: 'n8nOAuth2' }, 'not supported'],
    [{ authentication: 'basicAuth' }, 'no credential'],
    [{ options: { ipWhitelist: 'everybody' } }, 'ipWhitelist'],
    [{ options: { ipWhitelist: Array(2_001).fill('10.0.0.1') } }, 'more than 2000 addresses'],
    [{ options: { responseCode: { values: { responseCode: 99 } } } }, 'responseCode'],
  ])('with %j is refused: %s', (parameters, message) => {
    expect(() => triggerOf(parameters)).toThrow(message);
  });
});

test.each<[JsonObject, string]>([
  [{ authentication: '={{ $vars.gone }}' }, '"authentication"'],
  [{ options: { ipWhitelist: '={{ $vars.gone }}' } }, '"options.ipWhitelist"'],
  [{ options: { ignoreBots: '={{ $vars.gone }}' } }, '"options.ignoreBots"'],
  [{ options: { allowedOrigins: '={{ $vars.gone }}' } }, '"options.allowedOrigins"'],
  [{ options: { onlyRunIf: '={{ $json.body.mine }}' } }, '"onlyRunIf"'],
  [{ options: '={{ $vars.gone }}' }, '"options.ipWhitelist"'],
  [{ options: [{ ipWhitelist: '10.0.0.1' }] }, '"options.ipWhitelist"'],
  [{ options: '{"ipWhitelist":"10.0.0.1"}' }, '"options.ipWhitelist"'],
])('rejects an access setting whose expression %j has no value: %s', (written, message) => {
  expect(() => triggerOf({}, 2.1, { parameters: { path: 'a', ...written } })).toThrow(message);
});

test.each([',', [null], [' ']])('an empty list is rejected: %j', (names) => {
  expect(() => triggerOf({ options: { ipWhitelist: names } })).toThrow('"options.ipWhitelist"');
  expect(() => triggerOf({ options: { allowedOrigins: names } })).toThrow('"options.allowedOrigins"');
});

test('an expression may return the access settings as a group and may omit some', () => {
  const options = { ipWhitelist: '127.0.0.1' };
  const written = { parameters: { path: 'a', options: '={{ ({ ipWhitelist: "127.0.0.1" }) }}' } };
  expect(triggerOf({ options }, 2.1, written)).toMatchObject({ allowedAddresses: ['127.0.0.1'] });
});

test.each<JsonObject>([
  {},
  { ipWhitelist: '', allowedOrigins: '', onlyRunIf: '' },
  { ipWhitelist: null, ignoreBots: null },
  { ipWhitelist: [], allowedOrigins: ' ' },
])('empty access settings such as %j allow all requests', (options) => {
  expect(Object.keys(triggerOf({ options }))).toEqual(['kind', 'methods', 'path', 'files', 'response']);
});

test.each(['text/html\r\nX: y', 'html', 'text/', 'text/html, b', 'text/html;ä'])(
  'the content type %j is refused',
  (responseContentType) => {
    const parameters = { responseMode: 'lastNode', options: { responseContentType } };
    expect(() => triggerOf(parameters)).toThrow('responseContentType');
  },
);

test.each(['application/problem+json', 'text/html; charset="utf-8"', 'text/plain;'])(
  'the content type %j is kept',
  (contentType) => {
    const parameters = { responseMode: 'lastNode', options: { responseContentType: contentType } };
    expect(triggerOf(parameters).response).toMatchObject({ contentType });
  },
);

test('streams responses from version 2.1 on', () => {
  expect(triggerOf({ responseMode: 'streaming' }, 2.1).response).toMatchObject({ mode: 'streaming', status: 200 });
  expect(() => triggerOf({ responseMode: 'streaming' }, 2)).toThrow('version 2.1');
});

test('credential, address list, and origin restrict who may send requests', () => {
  const options = { ipWhitelist: '10.0.0.0/8', ignoreBots: true, allowedOrigins: 'https://a.example/, https://b.example' };
  const trigger = triggerOf({ authentication: 'signature', options }, 2, { credentials: { webhookSignature: { id: 'c' } } });
  expect(trigger).toMatchObject({
    authentication: { type: 'webhookSignature', credentialId: 'c' },
    allowedAddresses: ['10.0.0.0/8'],
    ignoresBots: true,
    allowedOrigins: ['https://a.example', 'https://b.example'],
  });
  expect(triggerOf({ options: { allowedOrigins: '*' } }).allowedOrigins).toBeUndefined();
});
