import type { NodeProperty } from '@sluice/node-sdk';
import { onlyMessage, parallelProcessing } from '../../shared/listening/message-options.ts';
import { between, number, options, text, toggle, where } from '../../shared/properties.ts';

export const kafkaTriggerProperties: readonly NodeProperty[] = [
  text('topic', 'Topic', 'What is read', { required: true }),
  text('groupId', 'Group ID', 'Name of the group of consumers: the cluster keeps what it has read', { required: true }),
  toggle('useSchemaRegistry', 'Use Schema Registry', 'Not supported yet'),
  text('schemaRegistryUrl', 'Schema Registry URL', 'Not supported yet', where({ useSchemaRegistry: [true] })),
  options([
    toggle('allowAutoTopicCreation', 'Allow Topic Creation', 'Whether the cluster may make the topic where it is not there'),
    number(
      'autoCommitInterval',
      'Auto Commit Interval',
      0,
      'Of no effect: what has been read is noted once its executions are sure to run',
    ),
    number('autoCommitThreshold', 'Auto Commit Threshold', 0, 'Of no effect, as `autoCommitInterval`'),
    between(
      1,
      10_485_760,
      number('fetchMaxBytes', 'Fetch Max Bytes', 1_048_576, 'Bytes that one request asks for, 10485760 at most'),
    ),
    between(
      1,
      10_485_760,
      number('fetchMinBytes', 'Fetch Min Bytes', 1, 'Bytes that must be there before the cluster answers'),
    ),
    number('heartbeatInterval', 'Heartbeat Interval', 3_000, 'Milliseconds between signs of life'),
    between(1, 100, number('maxInFlightRequests', 'Max Number of Requests', 1, 'Requests that may be under way at a time')),
    toggle(
      'fromBeginning',
      'Read Messages From Beginning',
      'Whether a group that has read nothing yet begins with the oldest message',
      {
        default: true,
      },
    ),
    toggle(
      'jsonParseMessage',
      'JSON Parse Message',
      'Whether a message that is JSON comes as what it says, rather than as text',
    ),
    toggle('keepBinaryData', 'Keep Message as Binary Data', 'Whether the message comes as the file `data` of the item, too'),
    onlyMessage,
    parallelProcessing,
    number(
      'rebalanceTimeout',
      'Rebalance Timeout',
      600_000,
      'Milliseconds within which members must join a group that changes',
    ),
    toggle('returnHeaders', 'Return Headers', 'Whether the item has the headers of the message'),
    number(
      'sessionTimeout',
      'Session Timeout',
      30_000,
      'Milliseconds without a sign of life after which the cluster gives up a member',
    ),
  ]),
];
