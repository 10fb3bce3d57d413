import { isJsonObject, type JsonObject, type JsonValue } from '@sluice/domain';

/** A tool call that a model requests. */
export interface ToolCall {
  /** Unique in a conversation; the result refers to it. */
  id: string;
  name: string;
  /** The arguments; text if the model did not write valid JSON. */
  input: JsonValue;
}

/**
 * Arguments to send back to the model, always an object: APIs reject other values, such as the text
 * of invalid JSON.
 */
export function argumentsOf({ input }: Pick<ToolCall, 'input'>): JsonObject {
  return isJsonObject(input) ? input : { input };
}

/**
 * Data that a provider requires back unchanged with a part, such as a signature of its reasoning.
 */
interface FromProvider {
  providerData?: JsonObject;
}

export interface TextPart extends FromProvider {
  type: 'text';
  text: string;
}

export interface ReasoningPart extends FromProvider {
  type: 'reasoning';
  text: string;
}

/** A file for the model, such as an image. */
export interface FilePart {
  type: 'file';
  /** `image/png`, or `image/*` if unknown. */
  mediaType: string;
  /** The bytes, or a URL that the provider reads. */
  data: Uint8Array | string;
  fileName?: string;
}

export interface ToolCallPart extends FromProvider, ToolCall {
  type: 'toolCall';
}

export interface ToolResultPart {
  type: 'toolResult';
  /** The tool call's ID. */
  id: string;
  name: string;
  output: JsonValue;
  /** The tool failed; `output` contains the reason. */
  isError?: boolean;
}

export type MessagePart = TextPart | ReasoningPart | FilePart | ToolCallPart | ToolResultPart;

/** One message of a conversation. Tool results are messages with the role `tool`. */
export interface ChatMessage {
  role: 'system' | 'user' | 'assistant' | 'tool';
  content: string | readonly MessagePart[];
}

/** The text of a message, without its other parts. */
export function textOf({ content }: Pick<ChatMessage, 'content'>): string {
  if (typeof content === 'string') return content;
  return content.map((part) => (part.type === 'text' ? part.text : '')).join('');
}
