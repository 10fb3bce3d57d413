import { isJsonObject, type JsonObject } from '@sluice/domain';
import type { TokenUsage } from './language-model.ts';

/**
 * Names of token counts in API responses, by API; some APIs split a count into several members.
 * Gateways report the same count under several APIs' names, so the first match is used.
 */
const names: Record<string, readonly (readonly string[])[]> = {
  inputTokens: [
    ['prompt_tokens'],
    ['input_tokens', 'cache_creation_input_tokens', 'cache_read_input_tokens'],
    ['promptTokenCount', 'toolUsePromptTokenCount'],
    ['prompt_eval_count'],
  ],
  outputTokens: [['completion_tokens'], ['output_tokens'], ['candidatesTokenCount', 'thoughtsTokenCount'], ['eval_count']],
  totalTokens: [['total_tokens'], ['totalTokenCount']],
};

/** The token counts and cost in a provider's response, if the API reports them. */
export function usageIn(answer: JsonObject): TokenUsage {
  // Ollama returns them at the top level of the response.
  const usage = [answer['usage'], answer['usageMetadata']].find((member) => isJsonObject(member)) ?? answer;
  const countsOf = (members: readonly string[]) => members.map((member) => usage[member]).filter((value) => isCount(value));
  const entries = Object.entries(names).flatMap(([name, apis]) => {
    const counts = apis.map(countsOf).find(({ length }) => length > 0);
    return counts ? [[name, counts.reduce((sum, count) => sum + count, 0)]] : [];
  });
  const cost = costIn(usage);
  return { ...Object.fromEntries(entries), ...(cost !== undefined && { cost }) };
}

/** In USD: OpenRouter reports a number, Perplexity an object. */
function costIn({ cost }: JsonObject): number | undefined {
  const total = isJsonObject(cost) ? cost['total_cost'] : cost;
  return isCount(total) ? total : undefined;
}

function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0;
}
