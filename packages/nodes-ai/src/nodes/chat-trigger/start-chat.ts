import {
  type ChatMessage,
  type ExecuteContext,
  type Item,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  NodeOperationError,
  type NodeOutput,
  textOf,
} from '@sluice/node-sdk';
import { textParameter } from '@sluice/nodes-base/node-tools';

/**
 * Outputs the message. The node itself responds to a request for earlier messages, unless the
 * workflow does.
 */
export async function startChat(context: ExecuteContext): Promise<NodeOutput> {
  const items = context.items().map(toItem);
  const loads = textParameter(context, 'options.loadPreviousSession', 0, 'notSupported');
  const isLoading = items[0]?.json['action'] === 'loadPreviousSession' && context.respond !== undefined;
  if (!isLoading || loads === 'manually') return [items];
  const data = loads === 'memory' ? (await messagesOf(context)).flatMap(shown) : [];
  await context.respond?.({ status: 200, headers: {}, body: { kind: 'json', json: { data } } });
  return [[]];
}

/** A request item has its message in `body`; a manual run's item is the message. */
function toItem(item: Item, index: number): Item {
  const { body, headers } = item.json;
  if (!isJsonObject(headers)) return item;
  const json: JsonObject = isJsonObject(body) ? body : { chatInput: typeof body === 'string' ? body : '' };
  return { ...item, json, pairedItem: { item: index } };
}

async function messagesOf(context: ExecuteContext): Promise<readonly ChatMessage[]> {
  const [memory] = await context.connected('ai_memory', 0);
  if (memory) return memory.value.load({ all: true }, context.signal);
  throw new NodeOperationError('the chat has no memory to load messages from', { description: 'Connect a memory to the node' });
}

const classes = new Map([
  ['user', 'HumanMessage'],
  ['assistant', 'AIMessage'],
]);

/** A message in LangChain's serialization, which embedded chats read. */
function shown(message: ChatMessage): JsonValue[] {
  const name = classes.get(message.role);
  const kwargs = { content: textOf(message), additional_kwargs: {} };
  return name === undefined ? [] : [{ lc: 1, type: 'constructor', id: ['langchain_core', 'messages', name], kwargs }];
}
