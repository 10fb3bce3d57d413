import type { LanguageModelV4Content, LanguageModelV4FinishReason, LanguageModelV4Usage } from '@ai-sdk/provider';
import type { FinishReason, JsonObject, MessagePart, ModelResult, TokenUsage, ToolCallPart } from '@sluice/node-sdk';
import { argumentsIn } from './tool-arguments.ts';

/** Converts an AI SDK result. */
export function toModelResult(
  content: readonly LanguageModelV4Content[],
  finishReason: LanguageModelV4FinishReason,
  usage: LanguageModelV4Usage,
  cost?: number,
): ModelResult {
  const parts = withoutThoughtsOfProviderCalls(content).flatMap(toPart);
  const toolCalls = parts.filter((part): part is ToolCallPart => part.type === 'toolCall');
  return {
    content: parts,
    text: parts.map((part) => (part.type === 'text' ? part.text : '')).join(''),
    toolCalls: toolCalls.map(({ id, name, input }) => ({ id, name, input })),
    finishReason: toFinishReason(finishReason),
    usage: { ...toUsage(usage), ...(cost !== undefined && { cost }) },
  };
}

/**
 * Omits reasoning that led to a call that the provider ran itself. The call is not part of the
 * conversation, and OpenAI rejects reasoning that is sent back without its call.
 */
function withoutThoughtsOfProviderCalls(content: readonly LanguageModelV4Content[]): LanguageModelV4Content[] {
  let isNextByProvider = false; // whether the provider ran the next part that is not reasoning
  const keptParts = content.toReversed().filter((part) => {
    if (part.type === 'reasoning') return !isNextByProvider;
    isNextByProvider = part.type === 'tool-call' && part.providerExecuted === true;
    return true;
  });
  return keptParts.reverse();
}

function toPart(part: LanguageModelV4Content): MessagePart[] {
  switch (part.type) {
    case 'text':
    case 'reasoning':
      return [{ type: part.type, text: part.text, ...fromProvider(part.providerMetadata) }];
    case 'tool-call':
      // The provider handles results of the tools that it runs itself.
      if (part.providerExecuted) return [];
      return [
        {
          type: 'toolCall',
          id: part.toolCallId,
          name: part.toolName,
          input: argumentsIn(part.input),
          ...fromProvider(part.providerMetadata),
        },
      ];
    default:
      return [];
  }
}

function fromProvider(metadata: object | undefined): { providerData?: JsonObject } {
  return metadata ? { providerData: metadata as JsonObject } : {};
}

const finishReasons: Readonly<Record<LanguageModelV4FinishReason['unified'], FinishReason>> = {
  stop: 'stop',
  length: 'length',
  'content-filter': 'refused',
  'tool-calls': 'toolCalls',
  error: 'error',
  interrupted: 'other',
  other: 'other',
};

function toFinishReason({ unified }: LanguageModelV4FinishReason): FinishReason {
  return finishReasons[unified];
}

function toUsage({ inputTokens, outputTokens }: LanguageModelV4Usage): TokenUsage {
  const counts = {
    inputTokens: inputTokens.total,
    outputTokens: outputTokens.total,
    totalTokens:
      inputTokens.total === undefined && outputTokens.total === undefined
        ? undefined
        : (inputTokens.total ?? 0) + (outputTokens.total ?? 0),
    cachedInputTokens: inputTokens.cacheRead,
    reasoningTokens: outputTokens.reasoning,
  };
  return Object.fromEntries(Object.entries(counts).filter(([, count]) => count !== undefined));
}
