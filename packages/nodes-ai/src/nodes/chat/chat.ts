import type { NodeProperty, NodeType } from '@sluice/node-sdk';
import { choice, choices, list, number, options, text, toggle, where } from '@sluice/nodes-base/node-tools';
import { resumeChat, sendToChat } from './send-to-chat.ts';

const limited = where({ limitType: ['afterTimeInterval'] });
const limit: NodeProperty[] = [
  choice(
    'limitType',
    'Limit Type',
    choices(['afterTimeInterval', 'After Time Interval'], ['atSpecifiedTime', 'At Specified Time']),
  ),
  number('resumeAmount', 'Amount', 1, 'How long to wait', limited),
  choice('resumeUnit', 'Unit', choices(['minutes', 'Minutes'], ['hours', 'Hours'], ['days', 'Days']), {
    default: 'hours',
    ...limited,
  }),
  text('maxDateAndTime', 'Max Date and Time', 'When to continue without a reply', where({ limitType: ['atSpecifiedTime'] })),
];

/** Sends messages to the chat that started the execution, and can wait for the next message of the user. */
export const chat: NodeType = {
  description: {
    displayName: 'Respond to Chat',
    name: 'chat',
    group: ['output'],
    version: [1],
    description:
      'Sends a message to the chat that started the execution, and can wait for a reply. The Chat Trigger must respond with "Using Response Nodes". Outputs the reply, with `chatInput`, or its input',
    defaults: { name: 'Respond to Chat' },
    inputs: ['main'],
    outputs: ['main'],
    subNodes: [{ type: 'ai_memory', displayName: 'Memory', maxCount: 1 }],
    properties: [
      text('message', 'Message', 'The text that the user sees', { required: true }),
      toggle('waitUserReply', 'Wait for User Reply', 'Whether to wait for the next message of the user', { default: true }),
      options([
        toggle(
          'memoryConnection',
          'Add Memory Input Connection',
          'Whether the connected memory gets the message and the reply',
        ),
        list('limitWaitTime', 'Limit Wait Time', 'values', limit, { typeOptions: { multipleValues: false } }),
      ]),
    ],
    icon: 'fa:comments',
  },
  execute: sendToChat,
  resume: resumeChat,
};
