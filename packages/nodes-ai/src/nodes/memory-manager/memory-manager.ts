import {
  type ChatMessage,
  type ExecuteContext,
  type Item,
  type JsonObject,
  type JsonValue,
  type Memory,
  NodeOperationError,
  type NodeType,
  textOf,
} from '@sluice/node-sdk';
import {
  booleanParameter,
  choice,
  choiceParameter,
  choices,
  list,
  listParameter,
  mapItemsAsync,
  number,
  numberParameter,
  options,
  text,
  toggle,
  where,
} from '@sluice/nodes-base/node-tools';
import { writtenMessage } from '../../shared/stored-messages.ts';

const modes = ['load', 'insert', 'delete'] as const;
const roles = new Map<JsonValue, ChatMessage['role']>([
  ['ai', 'assistant'],
  ['user', 'user'],
]);

/** Reads and changes the conversation in a memory. */
export const memoryManager: NodeType = {
  description: {
    displayName: 'Chat Memory Manager',
    name: 'memory-manager',
    group: ['transform'],
    version: [1, 1.1],
    description: 'Reads, adds, and deletes messages in the connected memory. Outputs the resulting messages',
    defaults: { name: 'Chat Memory Manager' },
    inputs: ['main'],
    outputs: ['main'],
    subNodes: [{ type: 'ai_memory', displayName: 'Memory', required: true, maxCount: 1 }],
    properties: [
      choice(
        'mode',
        'Operation Mode',
        choices(['load', 'Get Many Messages'], ['insert', 'Insert Messages'], ['delete', 'Delete Messages']),
      ),
      choice(
        'insertMode',
        'Insert Mode',
        choices(['insert', 'Insert Messages'], ['override', 'Override All Messages']),
        where({ mode: ['insert'] }),
      ),
      list(
        'messages',
        'Chat Messages',
        'messageValues',
        [
          choice('type', 'Type Name or ID', choices(['system', 'System'], ['ai', 'AI'], ['user', 'User'])),
          text('message', 'Message', 'The text of the message'),
          toggle('hideFromUI', 'Hide Message in Chat', 'Has no effect: chat pages show no stored messages'),
        ],
        where({ mode: ['insert'] }),
      ),
      choice('deleteMode', 'Delete Mode', choices(['lastN', 'Last N'], ['all', 'All Messages']), where({ mode: ['delete'] })),
      number(
        'lastMessagesCount',
        'Messages Count',
        2,
        'How many of the newest messages to delete',
        where({ mode: ['delete'], deleteMode: ['lastN'] }),
      ),
      toggle(
        'simplifyOutput',
        'Simplify Output',
        'Whether to output the text of exchanges (`human` and `ai`) instead of whole messages',
        { default: true, ...where({ mode: ['load'] }) },
      ),
      options([
        toggle('groupMessages', 'Group Messages', 'Whether to output one item with all messages, instead of one for each', {
          default: true,
        }),
      ]),
    ],
    icon: 'fa:database',
  },
  execute: async (context) => [await mapItemsAsync(context, (_, itemIndex) => manage(context, itemIndex))],
};

async function manage(context: ExecuteContext, itemIndex: number): Promise<Item[]> {
  const [connected] = await context.connected('ai_memory', itemIndex);
  if (!connected)
    throw new NodeOperationError('no memory is connected', { itemIndex, description: 'Connect a memory to the node' });
  const mode = choiceParameter(context, 'mode', itemIndex, modes, 'load');
  if (mode === 'insert') await insert(context, itemIndex, connected.value);
  if (mode === 'delete') await remove(context, itemIndex, connected.value);
  return outputOf(context, itemIndex, await connected.value.load({ all: true }, context.signal));
}

async function insert(context: ExecuteContext, itemIndex: number, memory: Memory): Promise<void> {
  const messages = listParameter(context, 'messages.messageValues', itemIndex).map(
    ({ type = 'system', message }): ChatMessage => ({
      role: roles.get(type) ?? 'system',
      content: typeof message === 'string' ? message : JSON.stringify(message ?? ''),
    }),
  );
  if (choiceParameter(context, 'insertMode', itemIndex, ['insert', 'override'], 'insert') === 'override')
    await memory.clear({}, context.signal);
  await memory.append(messages, context.signal);
}

async function remove(context: ExecuteContext, itemIndex: number, memory: Memory): Promise<void> {
  const isAll = choiceParameter(context, 'deleteMode', itemIndex, ['lastN', 'all'], 'lastN') === 'all';
  const last = Math.max(0, Math.trunc(numberParameter(context, 'lastMessagesCount', itemIndex, 2)));
  await memory.clear(isAll ? {} : { last }, context.signal);
}

function outputOf(context: ExecuteContext, itemIndex: number, messages: readonly ChatMessage[]): Item[] {
  const isSimple = booleanParameter(context, 'simplifyOutput', itemIndex, true);
  const results = isSimple ? exchanges(messages) : messages.map(wholeMessage);
  const isGrouped = booleanParameter(context, 'options.groupMessages', itemIndex, true);
  return (isGrouped ? [{ messages: results }] : results).map((json) => ({ json, pairedItem: { item: itemIndex } }));
}

function wholeMessage(message: ChatMessage): JsonObject {
  return writtenMessage({ role: message.role === 'tool' ? 'system' : message.role, content: textOf(message) });
}

const keys = { user: 'human', assistant: 'ai', system: 'system', tool: 'tool' } as const;

/** A question and its answer form one object. */
function exchanges(messages: readonly ChatMessage[]): JsonObject[] {
  const pairs: JsonObject[] = [];
  for (const message of messages) {
    const key = keys[message.role];
    const last = pairs.at(-1);
    if (key === 'ai' && last && 'human' in last && !('ai' in last)) last[key] = textOf(message);
    else pairs.push({ [key]: textOf(message) });
  }
  return pairs;
}
