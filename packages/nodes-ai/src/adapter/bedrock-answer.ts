import {
  type FinishReason,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  type MessagePart,
  type ModelChunk,
  ModelError,
  type ModelResult,
  parseJson,
  type TokenUsage,
  type ToolCallPart,
} from '@sluice/node-sdk';
import { coercedText } from '@sluice/nodes-base/node-tools';
import { endedEarly } from './status-error.ts';

/** The result in a `Converse` response. */
export function bedrockResult(answer: JsonObject): ModelResult {
  const message = memberOf(memberOf(answer, 'output'), 'message');
  const { content } = message;
  if (!Array.isArray(content)) throw new ModelError('invalidResponse', 'the provider response has no message');
  const parts = content.flatMap((block) => (isJsonObject(block) ? toPart(block) : []));
  return asResult(parts, answer['stopReason'], memberOf(answer, 'usage'));
}

function toPart(block: JsonObject): MessagePart[] {
  const { text, toolUse, reasoningContent } = block;
  if (typeof text === 'string') return [{ type: 'text', text }];
  if (isJsonObject(toolUse)) return [toCall(toolUse, toolUse['input'] ?? {})];
  if (!isJsonObject(reasoningContent)) return [];
  const reasoning = memberOf(reasoningContent, 'reasoningText')['text'];
  return [
    { type: 'reasoning', text: typeof reasoning === 'string' ? reasoning : '', providerData: { bedrock: reasoningContent } },
  ];
}

function toCall({ toolUseId, name }: JsonObject, input: JsonValue): ToolCallPart {
  return { type: 'toolCall', id: coercedText(toolUseId), name: coercedText(name), input };
}

const finishReasons: ReadonlyMap<unknown, FinishReason> = new Map<unknown, FinishReason>([
  ['end_turn', 'stop'],
  ['stop_sequence', 'stop'],
  ['tool_use', 'toolCalls'],
  ['max_tokens', 'length'],
  ['model_context_window_exceeded', 'length'],
  ['content_filtered', 'refused'],
  ['guardrail_intervened', 'refused'],
]);

function asResult(content: readonly MessagePart[], stopReason: unknown, usage: JsonObject): ModelResult {
  return {
    content,
    text: content.map((part) => (part.type === 'text' ? part.text : '')).join(''),
    toolCalls: content.flatMap((part) =>
      part.type === 'toolCall' ? [{ id: part.id, name: part.name, input: part.input }] : [],
    ),
    finishReason: finishReasons.get(stopReason) ?? 'other',
    usage: usageOf(usage),
  };
}

function usageOf(usage: JsonObject): TokenUsage {
  const counts = [
    ['inputTokens', usage['inputTokens']],
    ['outputTokens', usage['outputTokens']],
    ['totalTokens', usage['totalTokens']],
    ['cachedInputTokens', usage['cacheReadInputTokens']],
  ];
  return Object.fromEntries(counts.filter(([, count]) => typeof count === 'number'));
}

/** A part of an answer that is still streaming. */
interface OpenBlock {
  text: string;
  /** The call whose input the text is. */
  call?: JsonObject;
  /** Reasoning, as the provider needs it back. */
  reasoning?: JsonObject;
}

/** Collects a `ConverseStream` answer from its events, whose parts are numbered. */
export class BedrockAnswer {
  readonly #blocks = new Map<unknown, OpenBlock>();
  #stopReason: unknown;
  #usage: JsonObject = {};

  add(event: string, payload: JsonObject): ModelChunk | undefined {
    if (event === 'messageStop') this.#stopReason = payload['stopReason'];
    if (event === 'metadata') this.#usage = memberOf(payload, 'usage');
    if (event === 'contentBlockStart') this.#start(payload);
    return event === 'contentBlockDelta' ? this.#extend(payload) : undefined;
  }

  /** Throws if the stream ended before the model did. */
  async result(): Promise<ModelResult> {
    if (this.#stopReason === undefined) throw endedEarly();
    const parts: MessagePart[] = [];
    for (const block of this.#blocks.values()) parts.push(...(await partsOf(block)));
    return asResult(parts, this.#stopReason, this.#usage);
  }

  #start({ contentBlockIndex: index, start }: JsonObject): void {
    const call = isJsonObject(start) ? memberOf(start, 'toolUse') : {};
    if (Object.keys(call).length > 0) this.#blocks.set(index, { text: '', call });
  }

  #extend({ contentBlockIndex: index, delta }: JsonObject): ModelChunk | undefined {
    if (!isJsonObject(delta)) return undefined;
    const block = this.#blocks.get(index) ?? { text: '' };
    this.#blocks.set(index, block);
    const { text, toolUse, reasoningContent } = delta;
    if (isJsonObject(toolUse)) block.text += textIn(toolUse, 'input');
    if (isJsonObject(reasoningContent)) return extendReasoning(block, reasoningContent);
    if (typeof text !== 'string') return undefined;
    block.text += text;
    return { type: 'text', text };
  }
}

function extendReasoning(block: OpenBlock, delta: JsonObject): ModelChunk | undefined {
  const { signature, redactedContent } = delta;
  const text = textIn(delta, 'text');
  block.text += text;
  block.reasoning = {
    ...block.reasoning,
    ...(typeof signature === 'string' && { signature }),
    ...(typeof redactedContent === 'string' && { redactedContent }),
  };
  return text === '' ? undefined : { type: 'reasoning', text };
}

async function partsOf({ text, call, reasoning }: OpenBlock): Promise<MessagePart[]> {
  if (call) return [toCall(call, await inputIn(text))];
  if (!reasoning) return text === '' ? [] : [{ type: 'text', text }];
  const { signature, redactedContent } = reasoning;
  const providerData =
    redactedContent === undefined
      ? { reasoningText: { text, ...(signature !== undefined && { signature }) } }
      : { redactedContent };
  return [{ type: 'reasoning', text, providerData: { bedrock: providerData } }];
}

/** Input that is not valid JSON remains a string; the caller reports the error to the model. */
async function inputIn(text: string): Promise<JsonValue> {
  if (text.trim() === '') return {};
  try {
    return (await parseJson(text)) as JsonValue;
  } catch {
    return text;
  }
}

function memberOf(value: JsonObject, name: string): JsonObject {
  const member = value[name];
  return isJsonObject(member) ? member : {};
}

function textIn(value: JsonObject, name: string): string {
  const text = value[name];
  return typeof text === 'string' ? text : '';
}
