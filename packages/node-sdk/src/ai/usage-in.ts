import { isJsonObject, type JsonObject } from '@sluice/domain';
import type { TokenUsage } from './language-model.ts';

/** Names that APIs give to the numbers of an answer. */
const names = {
  inputTokens: ['prompt_tokens', 'input_tokens', 'promptTokenCount', 'prompt_eval_count'],
  outputTokens: ['completion_tokens', 'output_tokens', 'candidatesTokenCount', 'eval_count'],
  totalTokens: ['total_tokens', 'totalTokenCount'],
} as const;

/** The tokens of a provider's answer, and its cost, as far as the API reports them. */
export function usageIn(answer: JsonObject): TokenUsage {
  // Ollama has them beside the answer.
  const usage = [answer['usage'], answer['usageMetadata']].find((member) => isJsonObject(member)) ?? answer;
  const counts = Object.entries(names).flatMap(([name, members]) => {
    const count = members.map((member) => usage[member]).find((value) => isCount(value));
    return count === undefined ? [] : [[name, count]];
  });
  const cost = costIn(usage);
  return { ...Object.fromEntries(counts), ...(cost !== undefined && { cost }) };
}

/** In USD: OpenRouter reports a number, Perplexity an object. */
function costIn({ cost }: JsonObject): number | undefined {
  const total = isJsonObject(cost) ? cost['total_cost'] : cost;
  return isCount(total) ? total : undefined;
}

function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0;
}
