import { afterAll, expect, test } from '@jest/globals';
import type { JsonObject } from '@sluice/node-sdk';
import { aiEngine } from '../../testing/run-ai.ts';

const engine = aiEngine();
afterAll(() => engine.close());

async function manage(session: string, parameters: JsonObject, typeVersion = 1.1) {
  const memory = { sessionIdType: 'customKey', sessionKey: session, contextWindowLength: 1 };
  const { outcome, json } = await engine.run({
    Manager: { type: '@n8n/n8n-nodes-langchain.memoryManager', typeVersion, parameters },
    Memory: { type: 'ai.memory-buffer-window', typeVersion: 1.3, parameters: memory, to: { Manager: 'ai_memory' } },
  });
  return { error: outcome.status === 'error' ? outcome.error : undefined, json: json('Manager') };
}

const insert = (...messages: [type: string, message: string][]): JsonObject => ({
  mode: 'insert',
  messages: { messageValues: messages.map(([type, message]) => ({ type, message })) },
});

test('messages are added, replaced, read, and deleted, beyond the window of the memory', async () => {
  await manage('s', insert(['system', 'be kind'], ['user', 'a'], ['ai', 'A'], ['user', 'b']));
  const simple = [{ system: 'be kind' }, { human: 'a', ai: 'A' }, { human: 'b' }];
  expect((await manage('s', {})).json).toEqual([{ messages: simple }]);
  expect((await manage('s', { options: { groupMessages: false } })).json).toEqual(simple);
  expect((await manage('s', { simplifyOutput: false })).json[0]?.['messages']).toMatchObject([
    { type: 'system', content: 'be kind' },
    { type: 'human', content: 'a' },
    { type: 'ai', content: 'A' },
    { type: 'human', content: 'b' },
  ]);
  expect((await manage('s', { mode: 'delete' })).json).toEqual([{ messages: [{ system: 'be kind' }, { human: 'a' }] }]);
  const replaced = { ...insert(['user', 'new']), insertMode: 'override' };
  expect((await manage('s', replaced, 1)).json).toEqual([{ messages: [{ human: 'new' }] }]);
  expect((await manage('s', { mode: 'delete', deleteMode: 'all' })).json).toEqual([{ messages: [] }]);
});

test('a message of an unknown type is refused, and nothing is added or deleted', async () => {
  await manage('t', insert(['user', 'a']));
  const { error } = await manage('t', { ...insert(['user', 'b'], ['robot', 'c']), insertMode: 'override' });
  expect(error).toMatchObject({ message: expect.stringContaining('"robot"') });
  expect((await manage('t', {})).json).toEqual([{ messages: [{ human: 'a' }] }]);
});

test('without a memory, the node fails with an explanation', async () => {
  const { outcome } = await engine.run({ Manager: { type: 'ai.memory-manager' } });
  expect(outcome).toMatchObject({ status: 'error', error: { message: 'no memory is connected' } });
});
