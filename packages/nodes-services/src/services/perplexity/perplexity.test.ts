import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import type { JsonObject } from '@sluice/node-sdk';
import { type FakeRun, fakeContext, runForJson, runNode } from '@sluice/nodes-base/testing';
import type { ApiServer } from '../../testing/api-server.ts';
import { example } from './perplexity.example.ts';
import { perplexity } from './perplexity.ts';
import { perplexityServer } from './testing/perplexity-server.ts';

let server: ApiServer;
beforeAll(async () => {
  server = await perplexityServer();
});
afterEach(() => server.verify());
afterAll(() => server.close());

const runOf = (parameters: JsonObject, more: FakeRun = {}): FakeRun => ({
  parameters,
  http: server.http,
  credentials: { perplexityApi: { apiKey: 'pplx-1' } },
  ...more,
});
const ask = (more: JsonObject = {}): JsonObject => ({ messages: { message: [{ content: 'Who won?' }] }, ...more });
const sent = () => server.received.map(({ body }) => JSON.parse(body.toString()) as JsonObject);
const route = 'POST /chat/completions';

test('the example produces the documented result', async () => {
  expect(await runForJson(perplexity, runOf(example.parameters))).toEqual(example.outputs?.[0]);
  expect(sent()).toEqual([
    {
      model: 'sonar',
      messages: [
        { role: 'system', content: 'Be brief.' },
        { role: 'user', content: 'Who won the race?' },
      ],
      search_recency_filter: 'day',
    },
  ]);
});

test('the options are sent under their API names', async () => {
  const options = {
    frequencyPenalty: 1,
    maxTokens: 9,
    temperature: 0,
    topK: 3,
    topP: 0.5,
    presencePenalty: -1,
    returnImages: true,
    returnRelatedQuestions: true,
    searchDomainFilter: 'a.example, -b.example',
  };
  const [json] = await runForJson(perplexity, runOf(ask({ model: 'sonar-pro', options })));
  expect(json).toMatchObject({ model: 'sonar', choices: [{ message: { content: 'Ada won.' } }] });
  expect(sent()[0]).toEqual({
    model: 'sonar-pro',
    messages: [{ role: 'user', content: 'Who won?' }],
    frequency_penalty: 1,
    max_tokens: 9,
    temperature: 0,
    top_k: 3,
    top_p: 0.5,
    presence_penalty: -1,
    return_images: true,
    return_related_questions: true,
    search_domain_filter: ['a.example', '-b.example'],
  });
});

test('images and related questions are part of the simplified output', async () => {
  const choices = [{ message: { content: 'a' } }];
  server.on(route, () => ({ json: { choices, images: [{ image_url: 'i' }], related_questions: ['q'] } }));
  expect(await runForJson(perplexity, runOf(ask({ simplify: true })))).toEqual([
    { message: 'a', images: [{ image_url: 'i' }], related_questions: ['q'] },
  ]);
});

test('a call counts toward the execution limits, with its tokens and its cost', async () => {
  const seen: unknown[] = [];
  const context = {
    ...fakeContext({ typeVersion: 1, ...runOf(ask({ model: 'sonar-pro' })) }),
    modelCall: async <T>({ model, usageOf, send }: { model: string; usageOf(answer: T): object; send(): Promise<T> }) => {
      const answer = await send();
      seen.push([model, usageOf(answer)]);
      return answer;
    },
  };
  await perplexity.execute?.(context);
  expect(seen).toEqual([['sonar-pro', { inputTokens: 4, outputTokens: 2, totalTokens: 6, cost: 0.006 }]]);
});

test('without a message, nothing is sent', async () => {
  await expect(runNode(perplexity, runOf({}))).rejects.toMatchObject({ message: 'there is no message' });
  expect(server.received).toEqual([]);
});

test('an error includes the text and the type from Perplexity, and affects only its item if the node continues', async () => {
  const error = { message: 'Invalid model', type: 'invalid_model', code: 400 };
  server.on(route, ({ count }) => (count === 2 ? { status: 400, json: { error } } : { json: { choices: [] } }));
  const run = runOf(ask(), { json: [{}, {}], continueOnFail: true });
  expect(await runForJson(perplexity, run)).toEqual([{ choices: [] }, { error: 'Perplexity: Invalid model (invalid_model)' }]);
});

test('a rate-limited question is retried', async () => {
  server.on(route, ({ count }) =>
    count === 1 ? { status: 429, headers: { 'retry-after': '0' }, json: {} } : { json: { choices: [{ message: {} }] } },
  );
  expect(await runForJson(perplexity, runOf(ask({ simplify: true })))).toEqual([{ message: '' }]);
});
