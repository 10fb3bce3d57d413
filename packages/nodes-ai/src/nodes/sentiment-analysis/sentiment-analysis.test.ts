import { expect, test } from '@jest/globals';
import { askAboutText } from '../../testing/ask-about-text.ts';

const type = '@n8n/n8n-nodes-langchain.sentimentAnalysis';
const reviews = [{ text: 'good' }, { text: 'bad' }];
const inputText = '={{ $json.text }}';
const answer = (sentiment: string, more = {}) => ({ text: JSON.stringify({ sentiment, ...more }) });

test('an item goes to the output of its sentiment: positive, neutral, or negative', async () => {
  const answers = [answer('Positive'), answer('Negative')];
  const { outputs, sources } = await askAboutText({ type, parameters: { inputText } }, reviews, answers);
  expect(outputs).toEqual([
    [{ text: 'good', sentimentAnalysis: { category: 'Positive' } }],
    [],
    [{ text: 'bad', sentimentAnalysis: { category: 'Negative' } }],
  ]);
  expect(sources).toEqual([[0], [], [1]]);
});

test('sentiments may be customized, and the result detailed', async () => {
  const options = { categories: 'Angry, , Calm,Angry', includeDetailedResults: true };
  const node = { type, typeVersion: 1.1, parameters: { inputText, options } };
  const { outputs, prompts } = await askAboutText(node, reviews.slice(0, 1), [
    answer('Calm', { strength: 2, confidence: 1 }),
    answer('Calm', { strength: 0.2, confidence: 1 }),
  ]);
  expect(outputs).toEqual([[], [{ text: 'good', sentimentAnalysis: { category: 'Calm', strength: 0.2, confidence: 1 } }]]);
  expect(prompts[0]?.[0]).toContain('Angry, Calm.');
  expect(prompts[1]?.at(-1)).toMatch(/strength/);
});

test('an answer that is not a configured sentiment fails, once corrections are used up or disabled', async () => {
  const failing = async (options = {}) =>
    askAboutText({ type, parameters: { inputText, options } }, reviews.slice(0, 1), [answer('Happy')]);
  const [corrected, once] = [await failing(), await failing({ enableAutoFixing: false })];
  expect([corrected.prompts.length, once.prompts.length]).toEqual([3, 1]);
  expect(once.outcome).toMatchObject({ status: 'error', error: { message: expect.stringContaining('required format') } });
  const none = await failing({ categories: ' , ' });
  expect(none.outcome).toMatchObject({ status: 'error', error: { message: 'there are no sentiments' } });
});
