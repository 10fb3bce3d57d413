import { describe, expect, test } from '@jest/globals';
import type { JsonObject, NodeChunk, NodeOutput, WebhookResponse } from '@sluice/node-sdk';
import { verifyJwt } from '../../credentials/jwt-auth.ts';
import { type FakeRun, runNode } from '../../testing/fake-context.ts';
import { respondToWebhook } from './respond-to-webhook.ts';

async function respond(run: FakeRun): Promise<{ answer: WebhookResponse | undefined; output: NodeOutput }> {
  let answer: WebhookResponse | undefined;
  const take = async (response: WebhookResponse) => {
    answer = response;
    return true;
  };
  return { output: await runNode(respondToWebhook, { respond: take, ...run }), answer };
}

const json = [{ a: 1 }, { a: 2 }];
const answerTo = async (parameters: JsonObject, more: FakeRun = {}) => (await respond({ json, parameters, ...more })).answer;

describe('the response', () => {
  test.each<[JsonObject, WebhookResponse['body']]>([
    [{}, { kind: 'json', json: { a: 1 } }],
    [{ respondWith: 'allIncomingItems' }, { kind: 'json', json }],
    [
      { respondWith: 'firstIncomingItem', options: { responseKey: 'x.y' } },
      { kind: 'json', json: { x: { y: { a: 1 } } } },
    ],
    [
      { respondWith: 'json', responseBody: '{"ok":true}' },
      { kind: 'json', json: { ok: true } },
    ],
    [
      { respondWith: 'json', responseBody: [1, null] },
      { kind: 'json', json: [1, null] },
    ],
    [
      { respondWith: 'text', responseBody: '<p>hi</p>' },
      { kind: 'text', text: '<p>hi</p>' },
    ],
    [{ respondWith: 'noData' }, { kind: 'none' }],
  ])('of %j is %j', async (parameters, body) => {
    expect(await answerTo(parameters)).toEqual({ status: 200, headers: {}, body });
  });

  test('has the chosen status and headers, whose values cannot inject other headers', async () => {
    const options = { responseCode: 202, responseHeaders: { entries: [{ name: 'X-A', value: 'b\r\nSet-Cookie: c' }] } };
    expect(await answerTo({ respondWith: 'noData', options })).toMatchObject({
      status: 202,
      headers: { 'X-A': 'b  Set-Cookie: c' },
    });
  });

  test('has several headers of the same name, regardless of case', async () => {
    const entries = [
      { name: 'Set-Cookie', value: 'a=1' },
      { name: 'X-A', value: 'b' },
      { name: 'set-cookie', value: 'b=2' },
      { name: 'Set-Cookie', value: 'c=3' },
    ];
    const headers = { 'Set-Cookie': ['a=1', 'b=2', 'c=3'], 'X-A': 'b' };
    expect(await answerTo({ options: { responseHeaders: { entries } } })).toMatchObject({ headers });
  });

  test('may redirect the client', async () => {
    const redirectURL = 'https://example.com/a b?c=%20ü';
    expect(await answerTo({ respondWith: 'redirect', redirectURL })).toEqual({
      status: 307,
      headers: { location: 'https://example.com/a%20b?c=%20%C3%BC' },
      body: { kind: 'none' },
    });
  });

  test.each([
    [{ respondWith: 'binary' }, 'one'],
    [{ respondWith: 'binary', responseDataSource: 'set', inputFieldName: 'two' }, 'two'],
  ])('of %j is the file %s of the first item', async (parameters, id) => {
    const file = (name: string) => ({ id: name, mimeType: 'text/plain' });
    const inputs = [[{ json: {}, binary: { one: file('one'), two: file('two') } }]];
    expect((await respond({ inputs, parameters })).answer?.body).toEqual({ kind: 'file', file: file(id) });
  });

  test('may be a signed token', async () => {
    const jwtAuth = { secret: 'a-secret-of-some-length-for-hs256', algorithm: 'HS256' };
    const answer = await answerTo({ respondWith: 'jwt', payload: '{"sub":"me"}' }, { credentials: { jwtAuth } });
    if (answer?.body?.kind !== 'json') throw new Error('the answer is not JSON');
    const { token } = answer.body.json as { token: string };
    expect(await verifyJwt(jwtAuth, token, Date.now())).toMatchObject({ sub: 'me', iat: expect.any(Number) });
  });

  test.each<[JsonObject, string]>([
    [{ respondWith: 'binary' }, 'no file'],
    [{ respondWith: 'binary', responseDataSource: 'set', inputFieldName: 'x' }, 'no file "x"'],
    [{ respondWith: 'json', responseBody: '{' }, 'not valid JSON'],
    [{ respondWith: 'redirect' }, 'redirectURL'],
    [{ options: { responseCode: 42 } }, 'responseCode'],
    [{ respondWith: 'a poem' }, 'respondWith'],
  ])('of %j is an error: %s', async (parameters, message) => {
    await expect(answerTo(parameters)).rejects.toThrow(message);
  });
});

test('items pass, whether or not a client waits for the response', async () => {
  const passed = json.map((entry, item) => ({ json: entry, pairedItem: { item } }));
  expect((await respond({ json })).output).toEqual([passed]);
  expect(await runNode(respondToWebhook, { json })).toEqual([passed]);
  expect(await runNode(respondToWebhook, { json, respond: async () => false })).toEqual([passed]);
});

describe('a response to a client that accepts chunks', () => {
  async function stream(run: FakeRun): Promise<{ chunks: NodeChunk[]; answer: WebhookResponse | undefined }> {
    const chunks: NodeChunk[] = [];
    const { answer } = await respond({ sendChunk: async (chunk) => void chunks.push(chunk), ...run });
    return { chunks, answer };
  }

  test.each<[JsonObject, unknown[]]>([
    [{}, [{ a: 1 }]],
    [{ respondWith: 'allIncomingItems' }, json],
    [{ respondWith: 'allIncomingItems', options: { responseKey: 'x' } }, [{ x: json }]],
    [{ respondWith: 'json', responseBody: [1, 2] }, [[1, 2]]],
    [{ respondWith: 'text', responseBody: 'hi' }, ['hi']],
  ])('with %j consists of a start, %j, and an end', async (parameters, contents) => {
    const { chunks, answer } = await stream({ json, parameters });
    expect(chunks).toEqual([
      { type: 'begin', itemIndex: 0 },
      ...contents.map((content, itemIndex) => ({ type: 'item', content, itemIndex })),
      { type: 'end', itemIndex: 0 },
    ]);
    expect(answer).toBeUndefined();
  });

  test.each<[number, JsonObject]>([
    [1.4, {}],
    [1.5, { options: { enableStreaming: false } }],
    [1.5, { respondWith: 'noData' }],
    [1.5, { respondWith: 'redirect', redirectURL: 'https://example.com' }],
  ])('in version %d with %j is not streamed', async (typeVersion, parameters) => {
    const { chunks, answer } = await stream({ json, parameters, typeVersion });
    expect([chunks, answer]).toEqual([[], expect.objectContaining({ status: expect.any(Number) })]);
  });
});

test.each<[number, JsonObject, number]>([
  [1.2, {}, 1],
  [1.3, {}, 2],
  [1.4, {}, 1],
  [1.4, { enableResponseOutput: true }, 2],
  [1.5, { enableResponseOutput: true }, 2],
])('version %d with %j has %d outputs; the second returns the response', async (typeVersion, parameters, count) => {
  expect(respondToWebhook.outputs?.(parameters, typeVersion)).toHaveLength(count);
  const { output } = await respond({ json, parameters, typeVersion });
  expect(output).toHaveLength(count);
  if (count === 2) expect(output[1]?.[0]?.json).toEqual({ body: { a: 1 }, headers: {}, statusCode: 200 });
});
