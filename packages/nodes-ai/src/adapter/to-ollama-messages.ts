import {
  argumentsOf,
  type ChatMessage,
  type FilePart,
  type JsonObject,
  type MessagePart,
  ModelError,
  textOf,
} from '@sluice/node-sdk';

/** Messages in the format of Ollama's chat API. */
export function toOllamaMessages(messages: readonly ChatMessage[]): JsonObject[] {
  return messages.flatMap((message) => (message.role === 'tool' ? resultsOf(message) : [toMessage(message)]));
}

function toMessage(message: ChatMessage): JsonObject {
  const parts = partsOf(message);
  const calls = parts.flatMap((part) => (part.type === 'toolCall' ? [part] : []));
  const images = parts.flatMap((part) => (part.type === 'file' ? [imageOf(part)] : []));
  return {
    role: message.role,
    content: textOf(message),
    ...(images.length > 0 && { images }),
    ...(calls.length > 0 && {
      tool_calls: calls.map((call) => ({ function: { name: call.name, arguments: argumentsOf(call) } })),
    }),
  };
}

function resultsOf(message: ChatMessage): JsonObject[] {
  return partsOf(message).flatMap((part) => {
    if (part.type !== 'toolResult') return [];
    const { name, output } = part;
    return [{ role: 'tool', tool_name: name, content: typeof output === 'string' ? output : JSON.stringify(output) }];
  });
}

function imageOf({ data }: FilePart): string {
  if (typeof data !== 'string') return Buffer.from(data).toString('base64');
  throw new ModelError('invalidRequest', 'Ollama does not read images from URLs: download the image first, and send the file');
}

function partsOf({ content }: ChatMessage): readonly MessagePart[] {
  return typeof content === 'string' ? [] : content;
}
