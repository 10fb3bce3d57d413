import { expect, test } from '@jest/globals';
import type { JsonObject } from '@sluice/domain';
import { usageIn } from './usage-in.ts';

test.each<[string, JsonObject, object]>([
  [
    'OpenAI, chat',
    { usage: { prompt_tokens: 5, completion_tokens: 7, total_tokens: 12, prompt_tokens_details: { cached_tokens: 4 } } },
    { inputTokens: 5, outputTokens: 7, totalTokens: 12 },
  ],
  ['OpenAI, responses', { usage: { input_tokens: 5, output_tokens: 7 } }, { inputTokens: 5, outputTokens: 7 }],
  [
    'Anthropic, with a cache',
    { usage: { input_tokens: 5, cache_creation_input_tokens: 20, cache_read_input_tokens: 100, output_tokens: 7 } },
    { inputTokens: 125, outputTokens: 7 },
  ],
  [
    'Gemini, which counts thoughts separately',
    {
      usageMetadata: {
        promptTokenCount: 5,
        toolUsePromptTokenCount: 3,
        candidatesTokenCount: 7,
        thoughtsTokenCount: 50,
        totalTokenCount: 65,
      },
    },
    { inputTokens: 8, outputTokens: 57, totalTokens: 65 },
  ],
  [
    'a gateway that reports one number under the names of several APIs',
    {
      usage: {
        prompt_tokens: 125,
        input_tokens: 125,
        cache_creation_input_tokens: 20,
        cache_read_input_tokens: 100,
        completion_tokens: 7,
        output_tokens: 7,
        total_tokens: 132,
      },
    },
    { inputTokens: 125, outputTokens: 7, totalTokens: 132 },
  ],
  ['Ollama', { prompt_eval_count: 5, eval_count: 7 }, { inputTokens: 5, outputTokens: 7 }],
  ['a service that reports the cost', { usage: { total_tokens: 3, cost: 0.5 } }, { totalTokens: 3, cost: 0.5 }],
  ['a service that reports negative numbers', { usage: { total_tokens: -3, cost: -1 } }, {}],
])('%s: every charged token is counted once', (_, answer, usage) => {
  expect(usageIn(answer)).toEqual(usage);
});
