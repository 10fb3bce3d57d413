import type { NodeProperty } from '@sluice/node-sdk';
import { messageProperties } from '../../shared/message-properties.ts';
import { atLeast, list, number, options, text, toggle, where } from '../../shared/properties.ts';

export const kafkaProperties: readonly NodeProperty[] = [
  text('topic', 'Topic', 'Where the message goes', { required: true }),
  ...messageProperties(),
  toggle('jsonParameters', 'JSON Parameters', 'Whether headers are given as JSON'),
  toggle('useSchemaRegistry', 'Use Schema Registry', 'Not supported yet'),
  toggle('useKey', 'Use Key', 'Whether the message has a key: those of one key go to one partition'),
  text('key', 'Key', 'Of the message', { required: true, ...where({ useKey: [true] }) }),
  list(
    'headersUi',
    'Headers',
    'headerValues',
    [text('key', 'Key', 'Its name'), text('value', 'Value', 'Its value')],
    where({ jsonParameters: [false] }),
  ),
  {
    displayName: 'Headers (JSON)',
    name: 'headerParametersJson',
    type: 'json',
    default: '{}',
    description: 'A JSON object; values that are no texts are sent as JSON',
    ...where({ jsonParameters: [true] }),
  },
  options([
    toggle('acks', 'Acks', 'Whether all replicas must have the message, rather than the leader of the partition'),
    toggle('compression', 'Compression', 'Whether the message is sent in GZIP'),
    atLeast(0, number('timeout', 'Timeout', 30_000, 'Milliseconds that the brokers may take, 30000 at most')),
  ]),
];
