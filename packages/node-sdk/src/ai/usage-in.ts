import { isJsonObject, type JsonObject } from '@sluice/domain';
import type { TokenUsage } from './language-model.ts';

/**
 * Names of token counts in the answers of APIs. All that an answer has are added up: an API reports a count
 * under one name, or its parts under several.
 */
const names = {
  inputTokens: [
    'prompt_tokens',
    'input_tokens',
    'cache_creation_input_tokens',
    'cache_read_input_tokens',
    'promptTokenCount',
    'toolUsePromptTokenCount',
    'prompt_eval_count',
  ],
  outputTokens: ['completion_tokens', 'output_tokens', 'candidatesTokenCount', 'thoughtsTokenCount', 'eval_count'],
  totalTokens: ['total_tokens', 'totalTokenCount'],
} as const;

/** The tokens of a provider's answer, and its cost, as far as the API reports them. */
export function usageIn(answer: JsonObject): TokenUsage {
  // Ollama has them beside the answer.
  const usage = [answer['usage'], answer['usageMetadata']].find((member) => isJsonObject(member)) ?? answer;
  const found = Object.entries(names).flatMap(([name, members]) => {
    const counts = members.map((member) => usage[member]).filter((value) => isCount(value));
    return counts.length === 0 ? [] : [[name, counts.reduce((sum, count) => sum + count, 0)]];
  });
  const cost = costIn(usage);
  return { ...Object.fromEntries(found), ...(cost !== undefined && { cost }) };
}

/** In USD: OpenRouter reports a number, Perplexity an object. */
function costIn({ cost }: JsonObject): number | undefined {
  const total = isJsonObject(cost) ? cost['total_cost'] : cost;
  return isCount(total) ? total : undefined;
}

function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0;
}
