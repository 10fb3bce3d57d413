import { afterAll, expect, test } from '@jest/globals';
import type { JsonObject } from '@sluice/node-sdk';
import { aiEngine } from '../../testing/run-ai.ts';
import { scriptedModel, supplierType } from '../../testing/scripted-model.ts';

const engine = aiEngine();
afterAll(() => engine.close());

const isTopic = (value: string): JsonObject => ({
  options: { caseSensitive: true, leftValue: '', typeValidation: 'strict', version: 2 },
  conditions: [
    { id: '1', leftValue: '={{ $json.topic }}', rightValue: value, operator: { type: 'string', operation: 'equals' } },
  ],
  combinator: 'and',
});
const byTopic: JsonObject[] = [{ modelIndex: 2, conditions: isTopic('code') }, { conditions: isTopic('talk') }];

async function run(rule: JsonObject[], items: JsonObject[], models = ['first', 'second']) {
  const modelNode = (name: string, input: number) => ({
    type: supplierType(name, 'ai_languageModel', () => scriptedModel([`from ${name}`], name)),
    to: { Selector: 'ai_languageModel' },
    input,
  });
  return engine.run(
    {
      Chain: { type: 'ai.chain-llm', typeVersion: 1.7, parameters: { promptType: 'define', text: '={{ $json.topic }}' } },
      Selector: {
        type: '@n8n/n8n-nodes-langchain.modelSelector',
        typeVersion: 1,
        parameters: { numberInputs: 2, rules: { rule } },
        to: { Chain: 'ai_languageModel' },
      },
      ...Object.fromEntries(models.map((name, input) => [name, modelNode(name, input)] as const).toReversed()),
    },
    items,
  );
}

test('each item uses the model of the first rule that it meets; the first model is the default', async () => {
  const { json } = await run(byTopic, [{ topic: 'code' }, { topic: 'talk' }]);
  expect(json('Chain')).toEqual([{ text: 'from second' }, { text: 'from first' }]);
});

test('the run of the chosen model is recorded once, so that its tokens count once', async () => {
  const { uses } = await run(byTopic, [{ topic: 'code' }]);
  expect([uses('second').length, uses('first').length, uses('Selector').length]).toEqual([1, 0, 0]);
});

test('a rule without conditions matches each item', async () => {
  const { json } = await run([{ modelIndex: 2, conditions: isTopic('code') }, { modelIndex: 1 }], [{ topic: 'x' }]);
  expect(json('Chain')).toEqual([{ text: 'from first' }]);
});

test.each<[string, JsonObject[], string]>([
  ['no rule that matches', byTopic, 'no rule matches the item, so there is no model'],
  ['no rules', [], 'no rule matches the item, so there is no model'],
  ['a missing model', [{ modelIndex: 2 }], 'rule 1 names model 2, but the number of connected models is 1'],
])('%s is an error that says so', async (_, rule, message) => {
  const { outcome } = await run(rule, [{ topic: 'x' }], ['first']);
  expect(outcome).toMatchObject({ status: 'error', error: { message } });
});
