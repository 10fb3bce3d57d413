import type { ExecuteContext, Item, NodeType } from '@sluice/node-sdk';

/** Older form of the chat trigger, for messages of manual runs only. */
export const manualChatTrigger: NodeType = {
  description: {
    displayName: 'Manual Chat Trigger',
    name: 'manual-chat-trigger',
    group: ['trigger'],
    version: [1, 1.1],
    description:
      'Starts a manual run with a chat message: the input of the run, with the message in `chatInput`, and in version 1 also in `input`. A Chat Trigger also takes messages while the workflow is active',
    defaults: { name: 'On new manual Chat Message' },
    inputs: [],
    outputs: ['main'],
    properties: [],
    computesOnly: true,
    icon: 'fa:comments',
    maxNodes: 1,
  },
  execute: (context) => [context.items().map((item) => toMessage(context, item))],
};

function toMessage({ typeVersion }: ExecuteContext, item: Item): Item {
  const { chatInput: message, input = message } = item.json;
  return typeVersion >= 1.1 || input === undefined ? item : { ...item, json: { ...item.json, input } };
}
