import type { JsonObject } from '@sluice/domain';
import type { ChatMessage, MessagePart, ToolCall } from './messages.ts';

/** A tool as presented to a model. */
export interface ToolSpec {
  /** Letters, digits, `_` and `-`; at most 64. */
  name: string;
  description: string;
  /** JSON Schema of an object. */
  inputSchema: JsonObject;
}

export interface ModelRequest {
  messages: readonly ChatMessage[];
  tools?: readonly ToolSpec[];
  /** Default `auto`. */
  toolChoice?: 'auto' | 'none' | 'required';
  /** The answer is JSON of this JSON Schema, to the extent that the model can ensure it. */
  schema?: JsonObject;
}

/** Token counts of one call, if the provider reports them. */
export interface TokenUsage {
  inputTokens?: number;
  outputTokens?: number;
  totalTokens?: number;
  /** Part of `inputTokens`. */
  cachedInputTokens?: number;
  /** Part of `outputTokens`. */
  reasoningTokens?: number;
  /** Cost of the call in USD, if the provider reports it. */
  cost?: number;
}

/** `length`: cut off at the token limit. `refused`: by a content filter. */
export type FinishReason = 'stop' | 'length' | 'toolCalls' | 'refused' | 'error' | 'other';

export interface ModelResult {
  /** All parts of the answer, in order: pass them on unchanged in the assistant's message. */
  content: readonly MessagePart[];
  /** The text parts, joined. */
  text: string;
  toolCalls: readonly ToolCall[];
  finishReason: FinishReason;
  usage: TokenUsage;
}

/** A chunk of a streamed answer. The last chunk has the complete result. */
export type ModelChunk =
  | { type: 'text'; text: string }
  | { type: 'reasoning'; text: string }
  /**
   * `isReplayed`: the answer is from an earlier attempt of the run, which already sent its other
   * chunks.
   */
  | { type: 'result'; result: ModelResult; isReplayed?: true };

/**
 * Supplied over `ai_languageModel`. Sampling options belong to the model node. Errors: see
 * `ModelError`. One call is one request: the node's `maxRetries` repeats it after a transient
 * error.
 */
export interface LanguageModel {
  /** Provider name, for records. */
  readonly provider: string;
  readonly modelId: string;
  generate(request: ModelRequest, signal: AbortSignal): Promise<ModelResult>;
  stream(request: ModelRequest, signal: AbortSignal): AsyncIterable<ModelChunk>;
}
