import { afterAll, expect, test } from '@jest/globals';
import { checkParameters } from '@sluice/node-sdk';
import { aiEngine } from '../../testing/run-ai.ts';
import { scriptedModel, supplierType } from '../../testing/scripted-model.ts';
import { chainLlm } from './chain-llm.ts';

const engine = aiEngine();
afterAll(() => engine.close());

test.each([1.7, 1.8, 1.9])('version %d sends prompts in batches, with messages before the prompt', async (typeVersion) => {
  const parameters = {
    promptType: 'define',
    text: '={{ $json.chatInput }}',
    needsFallback: false,
    messages: { messageValues: [{ message: 'Be brief.' }] },
    batching: { batchSize: 1, delayBetweenBatches: 0 },
  };
  expect(checkParameters(chainLlm, parameters, typeVersion)).toEqual([]);
  const model = scriptedModel(['one', 'two']);
  const { json } = await engine.run(
    {
      Chain: { type: '@n8n/n8n-nodes-langchain.chainLlm', typeVersion, parameters },
      Model: { type: supplierType('model', 'ai_languageModel', () => model), to: { Chain: 'ai_languageModel' } },
    },
    [{ chatInput: 'a' }, { chatInput: 'b' }],
  );
  expect(json('Chain')).toEqual([{ text: 'one' }, { text: 'two' }]);
  expect(model.requests.map(({ messages }) => messages.map(({ content }) => content))).toEqual([
    ['Be brief.', 'a'],
    ['Be brief.', 'b'],
  ]);
});
