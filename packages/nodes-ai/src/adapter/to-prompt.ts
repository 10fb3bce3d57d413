import type {
  LanguageModelV4CallOptions,
  LanguageModelV4FilePart,
  LanguageModelV4Message,
  LanguageModelV4Prompt,
  SharedV4ProviderOptions,
} from '@ai-sdk/provider';
import {
  argumentsOf,
  type ChatMessage,
  type FilePart,
  type JsonObject,
  type MessagePart,
  type ModelRequest,
  textOf,
} from '@sluice/node-sdk';

type Assistant = Extract<LanguageModelV4Message, { role: 'assistant' }>['content'];
type User = Extract<LanguageModelV4Message, { role: 'user' }>['content'];
type Results = Extract<LanguageModelV4Message, { role: 'tool' }>['content'];

/** The request parts that all providers share, in AI SDK format. */
export function toCallOptions({ messages, tools = [], toolChoice = 'auto', schema }: ModelRequest): LanguageModelV4CallOptions {
  return {
    prompt: toPrompt(messages),
    ...(tools.length > 0 && {
      tools: tools.map(({ name, description, inputSchema }) => ({ type: 'function', name, description, inputSchema })),
      toolChoice: { type: toolChoice },
    }),
    ...(schema && { responseFormat: { type: 'json', schema, name: 'answer' } }),
  };
}

/** Omits empty messages, which some APIs reject: a model may return an empty answer. */
function toPrompt(messages: readonly ChatMessage[]): LanguageModelV4Prompt {
  return messages.map(toMessage).filter(({ content }) => content.length > 0);
}

function toMessage(message: ChatMessage): LanguageModelV4Message {
  const { role } = message;
  if (role === 'system') return { role, content: textOf(message) };
  const parts = partsOf(message);
  if (role === 'user') return { role, content: parts.flatMap(toUserPart) };
  return role === 'assistant'
    ? { role, content: parts.flatMap(toAssistantPart) }
    : { role, content: parts.flatMap(toResultPart) };
}

function partsOf({ content }: ChatMessage): readonly MessagePart[] {
  return typeof content === 'string' ? [{ type: 'text', text: content }] : content;
}

function toUserPart(part: MessagePart): User {
  if (part.type === 'text') return [{ type: 'text', text: part.text }];
  return part.type === 'file' ? [toFilePart(part)] : [];
}

function toAssistantPart(part: MessagePart): Assistant {
  if (part.type === 'text' || part.type === 'reasoning')
    return [{ type: part.type, text: part.text, ...providerOptions(part.providerData) }];
  if (part.type === 'toolCall') {
    const { id, name, providerData } = part;
    const input = argumentsOf(part);
    return [{ type: 'tool-call', toolCallId: id, toolName: name, input, ...providerOptions(providerData) }];
  }
  return part.type === 'file' ? [toFilePart(part)] : [];
}

function toResultPart(part: MessagePart): Results {
  if (part.type !== 'toolResult') return [];
  const { id, name, output, isError } = part;
  const isText = typeof output === 'string';
  const toolOutput = isText
    ? ({ type: isError ? 'error-text' : 'text', value: output } as const)
    : ({ type: isError ? 'error-json' : 'json', value: output } as const);
  return [{ type: 'tool-result', toolCallId: id, toolName: name, output: toolOutput }];
}

function toFilePart({ mediaType, data, fileName }: FilePart): LanguageModelV4FilePart {
  return {
    type: 'file',
    mediaType,
    data: typeof data === 'string' ? { type: 'url', url: new URL(data) } : { type: 'data', data },
    ...(fileName !== undefined && { filename: fileName }),
  };
}

function providerOptions(data: JsonObject | undefined): { providerOptions?: SharedV4ProviderOptions } {
  return data ? { providerOptions: data as SharedV4ProviderOptions } : {};
}
