import { expect, test } from '@jest/globals';
import type { JsonObject } from '@sluice/node-sdk';
import { askAboutText } from '../../testing/ask-about-text.ts';

const type = '@n8n/n8n-nodes-langchain.textClassifier';
const questions = [{ text: 'refund' }, { text: 'hours' }, { text: 'hello' }];
const parameters = (options: JsonObject = {}, names = ['Billing', 'Opening']): JsonObject => ({
  inputText: '={{ $json.text }}',
  categories: { categories: names.map((category) => ({ category, description: `about ${category}` })) },
  options,
});
const answers = [['Billing'], ['Opening', 'Billing'], []].map((categories) => ({ text: JSON.stringify({ categories }) }));

test('an item goes to the output of its category, and an item without a category is dropped', async () => {
  const single = [answers[0], { text: '{"categories":["Opening"]}' }, answers[2]] as { text: string }[];
  const { outputs, sources, prompts } = await askAboutText({ type, parameters: parameters() }, questions, single);
  expect(outputs).toEqual([[{ text: 'refund' }], [{ text: 'hours' }]]);
  expect(sources).toEqual([[0], [1]]);
  expect(prompts[0]?.join()).toMatch(/Billing, Opening.*refund.*about Billing/s);
});

test('an item may go to several outputs, and an item without a category to the last one', async () => {
  const node = { type, typeVersion: 1.1, parameters: parameters({ multiClass: true, fallback: 'other' }) };
  const { outputs } = await askAboutText(node, questions, answers);
  expect(outputs).toEqual([[{ text: 'refund' }, { text: 'hours' }], [{ text: 'hours' }], [{ text: 'hello' }]]);
});

test('an answer with another category is returned to the model, unless corrections are disabled', async () => {
  const wrong = [{ text: '{"categories":["Weather"]}' }, { text: '{"categories":["Billing"]}' }];
  const corrected = await askAboutText({ type, parameters: parameters() }, [{ text: 'a' }], wrong);
  expect(corrected.outputs).toEqual([[{ text: 'a' }], []]);
  const once = await askAboutText({ type, parameters: parameters({ enableAutoFixing: false }) }, [{ text: 'a' }], wrong);
  expect([once.outcome.status, once.prompts.length]).toEqual(['error', 1]);
});

test('the author may write the instructions, with the category names', async () => {
  const systemPromptTemplate = 'Choose from {categories}. {other}';
  const { prompts } = await askAboutText({ type, parameters: parameters({ systemPromptTemplate }) }, [{ text: 'a' }], answers);
  expect(prompts[0]?.[0]).toBe('Choose from Billing, Opening. {other}');
});

test('a failed item goes to the error output', async () => {
  const node = { type, parameters: parameters({ enableAutoFixing: false }), onError: 'continueErrorOutput' } as const;
  const { outputs, sources } = await askAboutText(node, questions.slice(0, 2), [{ text: 'no' }, ...answers.slice(0, 1)]);
  expect(outputs.slice(0, 2)).toEqual([[{ text: 'hours' }], []]);
  expect(sources[2]).toEqual([0]);
});

test.each([
  [[], 'there are no categories'],
  [['a', ' a'], 'the names of the categories are not valid'],
  [[''], 'the names of the categories are not valid'],
])('the categories %j are refused before the model is asked', async (names, message) => {
  const { outcome, prompts } = await askAboutText({ type, parameters: parameters({}, names) }, [{ text: 'a' }], answers);
  expect(outcome).toMatchObject({ status: 'error', error: { message } });
  expect(prompts).toEqual([]);
});
