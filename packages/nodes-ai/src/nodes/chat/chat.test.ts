import { afterAll, describe, expect, test } from '@jest/globals';
import type { RunRequest } from '@sluice/engine';
import { checkParameters, type JsonObject } from '@sluice/node-sdk';
import { memoryChats } from '../../testing/memory-chats.ts';
import { type AiNode, aiEngine } from '../../testing/run-ai.ts';
import { scriptedModel, supplierType } from '../../testing/scripted-model.ts';
import { chat } from './chat.ts';

const engine = aiEngine();
afterAll(() => engine.close());

const trigger: AiNode = {
  type: '@n8n/n8n-nodes-langchain.chatTrigger',
  typeVersion: 1.3,
  parameters: { public: true, options: { responseMode: 'responseNodes', allowFileUploads: true } },
  to: { Ask: 'main' },
};
const asker = (parameters: JsonObject, more: Partial<AiNode> = {}): AiNode => ({
  type: '@n8n/n8n-nodes-langchain.chat',
  typeVersion: 1,
  parameters: { message: '=About {{ $json.chatInput }}?', ...parameters },
  ...more,
});
const resume = { url: 'https://a.example/webhook-waiting/1/t', formUrl: 'https://a.example/form-waiting/1/t' };
const message = { sessionId: 's', action: 'sendMessage', chatInput: 'shoes' };

type Overrides = Partial<Omit<RunRequest, 'chatHistory'>> & { chatHistory?: RunRequest['chatHistory'] };

async function run(nodes: Record<string, AiNode>, overrides: Overrides = {}, isStreamed = true) {
  const chunks: unknown[] = [];
  const responses: unknown[] = [];
  const result = await engine.run({ Chat: trigger, ...nodes }, [message], {
    resume,
    respond: async (response) => responses.push(response.body) > 0,
    ...(isStreamed && {
      stream: async ({ type, content, metadata: { nodeName, resumeUrl } }) =>
        void chunks.push([nodeName, type, ...(content === undefined ? [] : [content]), ...(resumeUrl ? [resumeUrl] : [])]),
    }),
    ...overrides,
  });
  return { ...result, chunks, responses };
}

test('messages without a wait are parts of the response, and the workflow continues with the input', async () => {
  const nodes = {
    Ask: asker({ waitUserReply: false }, { to: { Then: 'main' } }),
    Then: asker({ waitUserReply: false, message: 'Two.' }),
  };
  const { chunks, json } = await run(nodes);
  expect(chunks).toEqual([
    ['Ask', 'begin'],
    ['Ask', 'item', 'About shoes?'],
    ['Ask', 'end'],
    ['Then', 'begin'],
    ['Then', 'item', 'Two.'],
    ['Then', 'end'],
  ]);
  expect(json('Then')).toEqual([message]);
});

test('a wait ends the response, and the reply is the output', async () => {
  const nodes = { Ask: asker({}) };
  const { outcome, chunks, responses, records } = await run(nodes);
  expect(chunks).toEqual([
    ['Ask', 'begin'],
    ['Ask', 'item', 'About shoes?'],
    ['Ask', 'end', resume.url],
  ]);
  expect(responses).toEqual([{ kind: 'json', json: { output: '', resumeUrl: resume.url } }]);
  if (outcome.status !== 'waiting') throw new Error(`the run is ${outcome.status}`);
  expect(outcome.suspension).toMatchObject({
    kind: 'call',
    call: { method: 'POST', files: { take: 'all' }, answer: { mode: 'streaming' } },
  });
  expect(outcome.suspension).not.toHaveProperty('at');
  const reply = { ...message, chatInput: 'red' };
  const request = { headers: {}, params: {}, query: {}, body: reply };
  const resumed = { ...outcome.suspended, event: { kind: 'call' as const, request } };
  const after = await run(nodes, { done: records, resumed });
  expect(after.outcome.status).toBe('success');
  expect(after.json('Ask')).toEqual([reply]);
});

describe('since version 1.1', () => {
  const later = (typeVersion: number, parameters: JsonObject) => ({
    Ask: {
      ...asker({}),
      typeVersion,
      parameters: { message: 'Go?', options: { memoryConnection: false }, ...parameters },
    },
  });
  const wait = { operation: 'sendAndWait' };

  /** The message in the chat, and the output for a reply. */
  async function ask(typeVersion: number, parameters: JsonObject, chatInput: string) {
    const nodes = later(typeVersion, parameters);
    expect(checkParameters(chat, nodes.Ask.parameters, typeVersion, { onSave: true })).toEqual([]);
    const { outcome, chunks, records } = await run(nodes);
    if (outcome.status !== 'waiting') throw new Error(`the run is ${outcome.status}`);
    const request = { headers: {}, params: {}, query: {}, body: { ...message, chatInput } };
    const after = await run(nodes, { done: records, resumed: { ...outcome.suspended, event: { kind: 'call', request } } });
    const shownText = (chunks as string[][]).find(([, type]) => type === 'item')?.[2];
    return { shownText, json: after.json('Ask')[0] };
  }

  test.each([1.1, 1.2, 1.3])('version %d sends, and continues with the input, unless it waits', async (typeVersion) => {
    const nodes = later(typeVersion, {});
    expect(checkParameters(chat, nodes.Ask.parameters, typeVersion, { onSave: true })).toEqual([]);
    const { chunks, json } = await run(nodes);
    expect(chunks).toEqual([
      ['Ask', 'begin'],
      ['Ask', 'item', 'Go?'],
      ['Ask', 'end'],
    ]);
    expect(json('Ask')).toEqual([message]);
  });

  test.each<[number, object]>([
    [1.1, { data: { ...message, chatInput: 'red' } }],
    [1.2, { ...message, chatInput: 'red' }],
    [1.3, { ...message, chatInput: 'red' }],
  ])('version %d outputs a free text as %j', async (typeVersion, expected) => {
    expect(await ask(typeVersion, wait, 'red')).toEqual({ shownText: 'Go?', json: expected });
  });

  const approval = { ...wait, responseType: 'approval' };
  const labels = { approvalOptions: { values: { approvalType: 'double', approveLabel: 'Yes', disapproveLabel: 'No' } } };
  const typed = { ...message, chatInput: 'later' };
  test.each<[number, JsonObject, string, string, object]>([
    [1.2, {}, ' approve ', 'Go?\n\nReply "Approve" or "Disapprove".', { data: { approved: true } }],
    [1.3, labels, 'NO', 'Go?\n\nReply "Yes" or "No".', { data: { approved: false } }],
    [1.2, labels, 'later', 'Go?\n\nReply "Yes" or "No".', { ...typed, data: { approved: false } }],
    [1.2, { ...labels, blockUserInput: true }, 'later', 'Go?\n\nReply "Yes" or "No".', { data: { approved: false } }],
    [1.1, labels, 'yes', 'Go?\n\nReply "Yes" or "No".', { data: { approved: true } }],
    [1.1, labels, 'later', 'Go?\n\nReply "Yes" or "No".', { data: { ...typed, approved: false } }],
    [
      1.2,
      { approvalOptions: { values: { approvalType: 'single' } } },
      'x',
      'Go?\n\nReply "Approve".',
      {
        ...message,
        chatInput: 'x',
        data: { approved: false },
      },
    ],
  ])(
    'version %d with the approval %j and the reply %j outputs the decision',
    async (typeVersion, more, reply, shownText, json) => {
      expect(await ask(typeVersion, { ...approval, ...more }, reply)).toEqual({ shownText, json });
    },
  );
});

test('a node without a version waits, as the first version does', async () => {
  const { typeVersion: _, ...unversioned } = asker({});
  expect((await run({ Ask: unversioned })).outcome.status).toBe('waiting');
});

test('without a reply in time, the workflow continues with the input', async () => {
  const values = { limitType: 'afterTimeInterval', resumeAmount: 2, resumeUnit: 'minutes' };
  const nodes = { Ask: asker({ options: { limitWaitTime: { values } } }) };
  const started = Date.now();
  const { outcome, records } = await run(nodes);
  if (outcome.status !== 'waiting' || outcome.suspension.kind !== 'call') throw new Error(`the run is ${outcome.status}`);
  expect((outcome.suspension.at ?? 0) - started).toBeGreaterThanOrEqual(120_000);
  const after = await run(nodes, { done: records, resumed: { ...outcome.suspended, event: { kind: 'time' } } });
  expect(after.json('Ask')).toEqual([message]);
});

test('a chat that does not read a stream receives the message as its response', async () => {
  const { outcome, responses } = await run({ Ask: asker({}) }, {}, false);
  expect(responses[0]).toEqual({ kind: 'json', json: { output: 'About shoes?', resumeUrl: resume.url } });
  expect(outcome).toMatchObject({ suspension: { call: { answer: { mode: 'responseNode' } } } });
});

test('message and reply are saved to the memory if the node enables it', async () => {
  const chatHistory = memoryChats();
  const nodes = {
    Ask: asker({ options: { memoryConnection: true } }),
    Memory: { type: 'ai.memory-buffer-window', typeVersion: 1.3, to: { Ask: 'ai_memory' } } satisfies AiNode,
  };
  const { outcome, records } = await run(nodes, { chatHistory });
  if (outcome.status !== 'waiting') throw new Error(`the run is ${outcome.status}`);
  const request = { headers: {}, params: {}, query: {}, body: { ...message, chatInput: 'red' } };
  await run(nodes, { chatHistory, done: records, resumed: { ...outcome.suspended, event: { kind: 'call', request } } });
  expect(await chatHistory('s').load(undefined, new AbortController().signal)).toEqual([
    { role: 'assistant', content: 'About shoes?' },
    { role: 'user', content: 'red' },
  ]);
  const { Memory: _, ...without } = nodes;
  expect((await run(without)).outcome).toMatchObject({ error: { message: 'no memory is connected' } });
});

test('a run that cannot be resumed does not wait', async () => {
  const { outcome } = await engine.run({ Chat: trigger, Ask: asker({}) }, [message]);
  expect(outcome).toMatchObject({ error: { message: expect.stringContaining('this run cannot be resumed') } });
});

test('an agent writes nothing to a chat that only chat nodes may write to', async () => {
  const model = scriptedModel(['two pairs']);
  const nodes: Record<string, AiNode> = {
    Ask: { type: 'ai.agent', typeVersion: 3, to: { Then: 'main' } },
    Model: { type: supplierType('model', 'ai_languageModel', () => model), to: { Ask: 'ai_languageModel' } },
    Then: asker({ waitUserReply: false, message: '={{ $json.output }}' }),
  };
  const { chunks } = await run(nodes);
  expect(chunks).toEqual([
    ['Then', 'begin'],
    ['Then', 'item', 'two pairs'],
    ['Then', 'end'],
  ]);
});
