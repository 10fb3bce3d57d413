import { setTimeout as delay } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import type { WebhookResponse } from '@sluice/node-sdk';
import type { CommunityNodeType } from '../community-types.ts';
import { fakeContext } from '../testing/fake-context.ts';
import { adaptExecute } from './adapt-execute.ts';
import { adaptNodeType } from './adapt-node-type.ts';

/** Runs a node that responds with a body; returns the responses that the caller received. */
function responding(body: unknown) {
  const sent: WebhookResponse[] = [];
  const type = {
    description: { displayName: 'A', name: 'a', version: 1, properties: [] },
    async execute(this: { sendResponse(response: object): void }) {
      this.sendResponse({ statusCode: 202, body });
      return [[]];
    },
  } as unknown as CommunityNodeType;
  const context = fakeContext({ over: { respond: async (response) => sent.push(response) > 0 } });
  return { sent, run: () => adaptExecute(type)(context) };
}

test('a node responds to the request that started its run', async () => {
  const { sent, run } = responding({ a: 1 });
  expect(await run()).toEqual([[]]);
  expect(sent).toEqual([{ status: 202, headers: {}, body: { kind: 'json', json: { a: 1 } } }]);
});

test('a run whose response cannot be sent fails with the reason, even if that is known before it returns', async () => {
  const type = {
    description: { displayName: 'A', name: 'a', version: 1, properties: [] },
    async execute(this: { sendResponse(response: object): void }) {
      this.sendResponse({ body: 'x' });
      await delay(5);
      return [[]];
    },
  } as unknown as CommunityNodeType;
  const respond = () => Promise.reject(new Error('the response is too large'));
  await expect(adaptExecute(type)(fakeContext({ over: { respond } }))).rejects.toThrow('the response is too large');
});

test.each<[string, unknown, number[]]>([
  ['a small', { n: 1n }, []],
  ['a large', Array.from({ length: 50_000 }, () => ({ n: 1n })), [500]],
])('a run whose response has %s body that is not JSON fails with the reason', async (_, body, statuses) => {
  const { sent, run } = responding(body);
  await expect(run()).rejects.toThrow(/^the response body cannot be written as JSON \(.*BigInt/);
  expect(sent.map(({ status }) => status)).toEqual(statuses);
});

test('using a type with supplyData as a sub-node fails, and the error names the function', () => {
  const description = { displayName: 'Search', name: 'search', version: 1, inputs: [], outputs: ['ai_tool'], properties: [] };
  const { supply } = adaptNodeType({ description, supplyData: async () => ({}) } as unknown as CommunityNodeType);
  expect(() => supply?.(fakeContext({}), 0)).toThrow(
    expect.objectContaining({
      code: 'NOT_SUPPORTED',
      message: expect.stringMatching(/^supplyData is not available .*"Search"/),
    }),
  );
});

test('a declarative type runs only its own operations, whatever name a workflow contains', async () => {
  const { execute } = adaptNodeType({
    description: { displayName: 'A', name: 'a', version: 1, requestDefaults: {}, properties: [] },
    customOperations: { user: { get: async () => [[{ json: { got: true } }]] } },
  } as unknown as CommunityNodeType);
  const run = async (resource: string, operation: string) => execute?.(fakeContext({ parameters: { resource, operation } }));
  expect(await run('user', 'get')).toEqual([[{ json: { got: true } }]]);
  const unknown = await run('user', 'none').catch(String);
  expect(await run('user', 'toString').catch(String)).toEqual(unknown);
  expect(await run('constructor', 'keys').catch(String)).toEqual(unknown);
});
