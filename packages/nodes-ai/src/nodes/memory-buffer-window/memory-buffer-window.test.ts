import { afterAll, expect, test } from '@jest/globals';
import type { JsonObject } from '@sluice/node-sdk';
import { askSubNode } from '../../testing/ask-sub-node.ts';
import { aiEngine } from '../../testing/run-ai.ts';
import { scriptedModel, supplierType } from '../../testing/scripted-model.ts';

const engine = aiEngine();
afterAll(() => engine.close());

async function chat(item: JsonObject, parameters: JsonObject, typeVersion = 1.3) {
  const model = scriptedModel([`answer to ${String(item['chatInput'])}`]);
  const run = await engine.run(
    {
      Agent: { type: '@n8n/n8n-nodes-langchain.agent', typeVersion: 2 },
      Model: { type: supplierType('model', 'ai_languageModel', () => model), to: { Agent: 'ai_languageModel' } },
      Memory: {
        type: '@n8n/n8n-nodes-langchain.memoryBufferWindow',
        typeVersion,
        parameters,
        to: { Agent: 'ai_memory' },
      },
    },
    [item],
  );
  const seen = model.requests[0]?.messages.filter(({ role }) => role !== 'system').map(({ content }) => content);
  return { ...run, seen };
}

test('each session remembers its last exchanges', async () => {
  const parameters = { contextWindowLength: 1 };
  await chat({ chatInput: 'a', sessionId: 's1' }, parameters);
  await chat({ chatInput: 'x', sessionId: 's2' }, parameters);
  expect((await chat({ chatInput: 'b', sessionId: 's1' }, parameters)).seen).toEqual(['a', 'answer to a', 'b']);
  const { seen, uses } = await chat({ chatInput: 'c', sessionId: 's1' }, parameters);
  expect(seen).toEqual(['b', 'answer to b', 'c']);
  expect(uses('Memory').map(({ use }) => use)).toEqual(['load', 'append']);
});

test('the session may have its own key', async () => {
  const parameters = { sessionIdType: 'customKey', sessionKey: '={{ $json.user }}' };
  await chat({ chatInput: 'a', user: 'u1' }, parameters);
  expect((await chat({ chatInput: 'b', user: 'u1' }, parameters)).seen).toEqual(['a', 'answer to a', 'b']);
  expect((await chat({ chatInput: 'b', user: 'u2' }, parameters)).seen).toEqual(['b']);
});

test('without a session, the error explains the fix; version 1 has a default session', async () => {
  const { outcome } = await chat({ chatInput: 'a' }, {});
  expect(outcome).toMatchObject({
    error: { message: 'the memory has no session', description: expect.stringContaining('sessionId') },
  });
  expect((await chat({ chatInput: 'a' }, {}, 1)).outcome.status).toBe('success');
});

test('memories in one workflow share a session, and without a database the node fails with an explanation', async () => {
  const runAsker = (name: string, item: JsonObject, chatHistory?: null) =>
    engine.run(
      {
        Agent: { type: 'ai.agent', typeVersion: 2 },
        Model: {
          type: supplierType('model', 'ai_languageModel', () => scriptedModel(['ok'])),
          to: { Agent: 'ai_languageModel' },
        },
        [name]: { type: 'ai.memory-buffer-window', typeVersion: 1.3, to: { Agent: 'ai_memory' } },
      },
      [item],
      chatHistory === null ? { chatHistory } : {},
    );
  await runAsker('First', { chatInput: 'a', sessionId: 'shared' });
  const { uses } = await runAsker('Second', { chatInput: 'b', sessionId: 'shared' });
  expect(JSON.stringify(uses('Second')[0]?.output)).toContain('"a"');
  expect((await runAsker('Third', { chatInput: 'c', sessionId: 'shared' }, null)).outcome).toMatchObject({
    status: 'error',
    error: { message: expect.stringContaining('needs a database') },
  });
});

test.each([
  ['@n8n/n8n-nodes-langchain.memoryBufferWindow', 1.3, ['a', 'ok', 'b']],
  ['@n8n/n8n-nodes-langchain.memoryBufferWindow', 1.4, ['b']],
])('%s %s: memories of one workflow share a session that the item names: %j', async (type, typeVersion, expected) => {
  const runAsker = async (name: string, chatInput: string, parameters: JsonObject = {}) => {
    const model = scriptedModel(['ok']);
    await engine.run(
      {
        Agent: { type: 'ai.agent', typeVersion: 2 },
        Model: { type: supplierType('model', 'ai_languageModel', () => model), to: { Agent: 'ai_languageModel' } },
        [name]: { type, typeVersion, parameters, to: { Agent: 'ai_memory' } },
      },
      [{ chatInput, sessionId: `of ${typeVersion}` }],
    );
    return model.requests[0]?.messages.filter(({ role }) => role !== 'system').map(({ content }) => content);
  };
  await runAsker('First Memory', 'a');
  expect(await runAsker('Second Memory', 'b')).toEqual(expected);
  expect((await runAsker('First Memory', 'c'))?.slice(0, 2)).toEqual(['a', 'ok']);
  const custom = { sessionIdType: 'customKey', sessionKey: `mine ${typeVersion}` };
  await runAsker('First Memory', 'a', custom);
  expect(await runAsker('Second Memory', 'b', custom)).toEqual(['a', 'ok', 'b']);
});

test('only text is remembered, and all messages can be read and the newest deleted', async () => {
  const supplier = {
    type: 'ai.memory-buffer-window',
    parameters: { sessionIdType: 'customKey', sessionKey: 'k', contextWindowLength: 0 },
  };
  const { json, outcome } = await askSubNode(engine, 'ai_memory', supplier, async (memory, signal) => {
    const image = { type: 'file', mediaType: 'image/png', data: new Uint8Array(2) } as const;
    await memory.append([{ role: 'user', content: [{ type: 'text', text: 'look' }, image] }], signal);
    await memory.append(
      [
        { role: 'tool', content: [] },
        { role: 'assistant', content: 'a cat' },
      ],
      signal,
    );
    const [all, seen] = [await memory.load({ all: true }, signal), await memory.load({}, signal)];
    await memory.clear({ last: 1 }, signal);
    return { all, seen, left: await memory.load({ all: true }, signal) };
  });
  expect(outcome).toMatchObject({ status: 'success' });
  const look = { role: 'user', content: 'look' };
  const answer = { role: 'assistant', content: 'a cat' };
  expect(json('Asker')).toEqual([{ result: { all: [look, answer], seen: [], left: [look] } }]);
});
