import type { NodeProperty } from '@sluice/node-sdk';
import { onlyMessage, parallelProcessing } from '../../shared/listening/message-options.ts';
import { between, number, options, text, toggle, where } from '../../shared/properties.ts';

const maxFetchBytes = 10 * 1024 * 1024;

export const kafkaTriggerProperties: readonly NodeProperty[] = [
  text('topic', 'Topic', 'Topic to read', { required: true }),
  text(
    'groupId',
    'Group ID',
    'Name of the consumer group, for which the cluster stores offsets; workflows with the same group share its messages',
    { required: true },
  ),
  toggle('useSchemaRegistry', 'Use Schema Registry', 'Not supported yet'),
  text('schemaRegistryUrl', 'Schema Registry URL', 'Not supported yet', where({ useSchemaRegistry: [true] })),
  options([
    toggle('allowAutoTopicCreation', 'Allow Topic Creation', 'Whether the cluster may create a missing topic'),
    number('autoCommitInterval', 'Auto Commit Interval', 0, 'Has no effect: offsets are committed after the executions'),
    number('autoCommitThreshold', 'Auto Commit Threshold', 0, 'Has no effect, like `autoCommitInterval`'),
    between(
      1,
      maxFetchBytes,
      number('fetchMaxBytes', 'Fetch Max Bytes', 1_048_576, `Maximum number of bytes per fetch, up to ${maxFetchBytes}`),
    ),
    between(
      1,
      maxFetchBytes,
      number('fetchMinBytes', 'Fetch Min Bytes', 1, 'Minimum number of bytes before the cluster responds to a fetch'),
    ),
    number('heartbeatInterval', 'Heartbeat Interval', 3_000, 'Milliseconds between heartbeats'),
    between(1, 100, number('maxInFlightRequests', 'Max Number of Requests', 1, 'Maximum number of requests in flight')),
    toggle(
      'fromBeginning',
      'Read Messages From Beginning',
      'Whether a group without committed offsets starts at the oldest message',
      {
        default: true,
      },
    ),
    toggle('jsonParseMessage', 'JSON Parse Message', 'Whether to parse a message that is JSON instead of keeping its text'),
    toggle('keepBinaryData', 'Keep Message as Binary Data', 'Whether to add the message as the file `data` of the item'),
    onlyMessage,
    parallelProcessing,
    number('rebalanceTimeout', 'Rebalance Timeout', 600_000, 'Timeout for members to join a rebalance, in milliseconds'),
    toggle('returnHeaders', 'Return Headers', 'Whether to include the headers of the message'),
    number('sessionTimeout', 'Session Timeout', 30_000, 'Milliseconds without a heartbeat before the cluster removes a member'),
  ]),
];
