import { isJsonObject, type JsonObject, type JsonValue, type RememberedMessage } from '@sluice/node-sdk';
import { stringOf } from '@sluice/nodes-base/node-tools';

/** Messages in LangChain's history format, which other programs read and write, too. */

const types = { user: 'human', assistant: 'ai', system: 'system' } as const;
const roles = new Map(Object.entries(types).map(([role, type]) => [type as string, role as RememberedMessage['role']]));

export function writtenMessage({ role, content }: RememberedMessage): JsonObject {
  const message = { type: types[role], content, additional_kwargs: {}, response_metadata: {} };
  return role === 'assistant' ? { ...message, tool_calls: [], invalid_tool_calls: [] } : message;
}

/** A message with its content in `data`. */
export function storedMessage(message: RememberedMessage): JsonObject {
  const { type = '', ...data } = writtenMessage(message);
  return { type, data };
}

/**
 * Reads both forms: content at the top level, and in `data`. Tool calls and unknown messages are
 * omitted.
 */
export function readMessages(values: readonly JsonValue[]): RememberedMessage[] {
  return values.flatMap((value) => {
    if (!isJsonObject(value)) return [];
    const role = roles.get(stringOf(value['type']));
    const { content } = isJsonObject(value['data']) ? value['data'] : value;
    const text = textIn(content);
    return role && text !== '' ? [{ role, content: text }] : [];
  });
}

function textIn(content: JsonValue | undefined): string {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return '';
  return content.map((part) => (isJsonObject(part) && typeof part['text'] === 'string' ? part['text'] : '')).join('');
}
