import { type ExecuteContext, isJsonObject, type JsonObject, ModelError } from '@sluice/node-sdk';
import { baseUrl } from '../../shared/model-list.ts';
import { callForObject, type ProviderCall } from '../../shared/provider-call.ts';

export const anthropicCredential = 'anthropicApi';
export const anthropicAddress = (data: JsonObject) => `${baseUrl(data, 'url', 'https://api.anthropic.com')}/v1`;

/** Maximum number of blocks that are read from an answer. */
const maxBlocks = 10_000;

/** Calls an API path, such as `/files`. https://docs.claude.com/en/api/overview */
export async function callAnthropic(
  context: ExecuteContext,
  itemIndex: number,
  path: string,
  call: Omit<ProviderCall, 'credential' | 'url'>,
): Promise<JsonObject> {
  const address = anthropicAddress(await context.credentials(anthropicCredential, itemIndex));
  return callForObject(context, itemIndex, { ...call, credential: anthropicCredential, url: `${address}${path}` });
}

/** A request to `/messages`, with the beta features that it needs. */
export interface MessageRequest {
  json: JsonObject & { model: string };
  betas?: readonly string[];
  /** As in `ProviderCall`. */
  recorded?: boolean;
}

/** Maximum number of turns that the model pauses, after rounds of a tool that Anthropic runs. */
const maxPauses = 10;

/**
 * The response to messages. Adds the model's output before a pause to `messages`. Throws if the
 * model refuses.
 */
export async function askClaude(
  context: ExecuteContext,
  itemIndex: number,
  { json, betas = [], recorded = false }: MessageRequest,
  messages: JsonObject[],
): Promise<JsonObject> {
  const headers = betas.length > 0 ? { 'anthropic-beta': betas.join() } : {};
  for (let pauses = 0; ; pauses += 1) {
    const call = { model: json.model, headers, json: { ...json, messages }, recorded };
    const answer = await callAnthropic(context, itemIndex, '/messages', call);
    if (answer['stop_reason'] === 'refusal') throw new ModelError('refused', 'the model refused to answer');
    if (!Array.isArray(answer['content'])) throw new ModelError('invalidResponse', 'the provider response has no content');
    if (answer['stop_reason'] !== 'pause_turn' || pauses >= maxPauses) return answer;
    messages.push({ role: 'assistant', content: blocksOf(answer) });
  }
}

export function blocksOf({ content }: JsonObject): JsonObject[] {
  return Array.isArray(content) ? content.slice(0, maxBlocks).filter((block) => isJsonObject(block)) : [];
}

export function textOfBlocks(answer: JsonObject): string {
  return blocksOf(answer)
    .map(({ type, text }) => (type === 'text' && typeof text === 'string' ? text : ''))
    .join('');
}
