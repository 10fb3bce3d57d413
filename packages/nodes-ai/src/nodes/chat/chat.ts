import type { NodeProperty, NodeType } from '@sluice/node-sdk';
import { choice, choices, list, number, options, text, toggle, when, where } from '@sluice/nodes-base/node-tools';
import { resumeChat, sendToChat } from './send-to-chat.ts';

const later = [{ _cnd: { gte: 1.1 } }];
const waiting = { operation: ['sendAndWait'] };
const approving = { ...waiting, responseType: ['approval'] };
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

/**
 * Sends messages to the chat that started the execution, and can wait for the user's next message.
 * Since version 1.1, two operations replace the switch to wait; 1.3 behaves as 1.2.
 */
export const chat: NodeType = {
  description: {
    displayName: 'Respond to Chat',
    name: 'chat',
    group: ['output'],
    version: [1, 1.1, 1.2, 1.3],
    // Workflows without a version were written when only version 1 existed, which waits by default.
    defaultVersion: 1,
    description:
      'Sends a message to the chat that started the execution, and can wait for a reply. The Chat Trigger must respond with "Using Response Nodes". Outputs the reply, with `chatInput`, or its input',
    defaults: { name: 'Respond to Chat' },
    inputs: ['main'],
    outputs: ['main'],
    subNodes: [{ type: 'ai_memory', displayName: 'Memory', maxCount: 1 }],
    properties: [
      choice(
        'operation',
        'Operation',
        choices(['send', 'Send Message'], ['sendAndWait', 'Send and Wait for Response']),
        when(later),
      ),
      text('message', 'Message', 'The text that the user sees', { required: true }),
      toggle('waitUserReply', 'Wait for User Reply', 'Whether to wait for the next message of the user', {
        default: true,
        ...when([1]),
      }),
      choice(
        'responseType',
        'Response Type',
        choices(
          ['freeTextChat', 'Free Text', 'The next message of the user'],
          ['freeText', 'Free Text (other name)'],
          ['approval', 'Approval', 'The user replies with one of two words, which the message names'],
        ),
        when(later, waiting),
      ),
      list(
        'approvalOptions',
        'Approval Options',
        'values',
        [
          choice('approvalType', 'Type of Approval', choices(['double', 'Approve and Disapprove'], ['single', 'Approve Only'])),
          text('approveLabel', 'Approve Button Label', 'The reply that approves', { default: 'Approve' }),
          text('disapproveLabel', 'Disapprove Button Label', 'The reply that disapproves', {
            default: 'Disapprove',
            ...where({ approvalType: ['double'] }),
          }),
        ],
        { typeOptions: { multipleValues: false }, ...when(later, approving) },
      ),
      toggle(
        'blockUserInput',
        'Block User Input',
        'Whether the output omits the text of a reply that is neither label; such a reply disapproves in any case',
        when(later, approving),
      ),
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
