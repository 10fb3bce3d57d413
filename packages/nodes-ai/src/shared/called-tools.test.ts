import { afterAll, describe, expect, test } from '@jest/globals';
import type { JsonObject, JsonValue, NodeType } from '@sluice/node-sdk';
import { anthropicApi } from '../testing/anthropic-api.ts';
import { geminiApi } from '../testing/gemini-api.ts';
import { ollamaFormat } from '../testing/ollama-format.ts';
import { openAiApi } from '../testing/open-ai-api.ts';
import { providerServer, type ServerAnswer, type WireFormat } from '../testing/provider-server.ts';
import { type AiNode, aiEngine } from '../testing/run-ai.ts';
import { supplierType } from '../testing/scripted-model.ts';

const data: Record<string, JsonObject> = {};
const engine = aiEngine(data);
afterAll(() => engine.close());

interface Provider {
  type: string;
  typeVersion: number;
  credential: string;
  format(): WireFormat;
  parameters: JsonObject;
}

const messages = { values: [{ content: 'Hi' }] };
const providers: Record<string, Provider> = {
  'OpenAI, chat': {
    type: 'openAi',
    typeVersion: 1.8,
    credential: 'openAiApi',
    format: openAiApi,
    parameters: { modelId: 'gpt-4o-mini', messages },
  },
  'OpenAI, responses': {
    type: 'openAi',
    typeVersion: 2,
    credential: 'openAiApi',
    format: openAiApi,
    parameters: { modelId: 'gpt-4o-mini', responses: messages },
  },
  Anthropic: {
    type: 'anthropic',
    typeVersion: 1,
    credential: 'anthropicApi',
    format: () => anthropicApi,
    parameters: { modelId: 'claude-sonnet-4-5', messages },
  },
  Gemini: {
    type: 'googleGemini',
    typeVersion: 1,
    credential: 'googlePalmApi',
    format: () => geminiApi(() => ''),
    parameters: { modelId: 'models/gemini-2.5-flash', messages },
  },
  Ollama: {
    type: 'ollama',
    typeVersion: 1,
    credential: 'ollamaApi',
    format: () => ollamaFormat,
    parameters: { modelId: 'llama3.2', messages },
  },
};

/** A provider node with two tools: `act` records its calls, and `Find` calls a workflow. */
async function start({ type, typeVersion, credential, format, parameters }: Provider, answers: readonly ServerAnswer[]) {
  const server = await providerServer(format(), answers);
  const { origin } = server;
  data['c1'] = { apiKey: 'key-1', url: type === 'openAi' ? `${origin}/v1` : origin, host: origin, baseUrl: origin };
  const acted: JsonValue[] = [];
  const callItems: JsonObject[] = [];
  const act = {
    name: 'act',
    description: 'acts',
    inputSchema: { type: 'object' },
    run: async (input: JsonValue) => acted.push(input),
  };
  const nodes: Record<string, AiNode> = {
    Ask: { type: `@n8n/n8n-nodes-langchain.${type}`, typeVersion, parameters, credentials: { [credential]: 'c1' } },
    Act: { type: supplierType('act', 'ai_tool', () => act) as NodeType, to: { Ask: 'ai_tool' } },
    Find: { type: 'ai.tool-workflow', typeVersion: 2.2, parameters: { workflowId: 'sub' }, to: { Ask: 'ai_tool' } },
  };
  const called = { sub: (json: JsonObject[]) => [{ number: callItems.push(...json) }] };
  return { server, acted, callItems, run: (overrides = {}) => engine.run(nodes, [{}], { called, ...overrides }) };
}

/** A model words its calls differently each time. */
const find = (query: string): ServerAnswer => ({ calls: [{ name: 'Find', input: { query }, id: query }] });
const act = (what: string): ServerAnswer => ({ calls: [{ name: 'act', input: { what }, id: what }] });

describe.each(Object.entries(providers))('%s', (_, provider) => {
  test('after the wait for a called workflow, no model or tool call is repeated', async () => {
    const answers = [act('red'), find('green'), act('blue'), find('gray'), { text: 'done' }];
    const { server, acted, callItems, run } = await start(provider, answers);
    const { outcome, json, uses } = await run();
    await server.close();
    expect(outcome).toMatchObject({ status: 'success' });
    expect(JSON.stringify(json('Ask'))).toContain('done');
    expect(acted).toEqual([{ what: 'red' }, { what: 'blue' }]);
    expect(callItems).toEqual([{ query: 'green' }, { query: 'gray' }]);
    expect(server.received).toHaveLength(5);
    const conversation = JSON.stringify(server.received.at(-1)?.body);
    for (const word of ['red', 'green', 'blue', 'gray']) expect(conversation).toContain(word);
    expect(uses('Ask (model)')).toHaveLength(5);
  });

  test('after a crash, recorded model calls are not repeated, and their tokens count once', async () => {
    const answers = [act('red'), act('blue'), { text: 'done' }];
    const { server, acted, run } = await start(provider, answers);
    const first = await run();
    const done = first.records.filter(({ nodeName }) => nodeName !== 'Ask').slice(0, -1);
    const aiLimits = { maxModelCalls: 3, maxToolCalls: 2, maxTokens: 54, maxCostUsd: 1 };
    const second = await run({ done, aiLimits });
    await server.close();
    expect(second.outcome).toMatchObject({ status: 'success' });
    expect(second.json('Ask')).toEqual(first.json('Ask'));
    expect(acted).toEqual([{ what: 'red' }, { what: 'blue' }]);
    expect(server.received.slice(3).map(({ body }) => body)).toEqual([server.received[2]?.body]);
  });
});

test('a long text in a request is recorded as its hash', async () => {
  const long = 'x'.repeat(200_000);
  const parameters = { modelId: 'gpt-4o-mini', messages: { values: [{ content: long }] } };
  const { server, run } = await start({ ...(providers['OpenAI, chat'] as Provider), parameters }, [{ text: 'done' }]);
  const { uses } = await run();
  await server.close();
  expect(uses('Ask (model)')[0]?.input).toMatchObject({
    model: 'gpt-4o-mini',
    request: { messages: [{ content: { characters: 200_000, sha256: expect.any(String) } }] },
  });
});
