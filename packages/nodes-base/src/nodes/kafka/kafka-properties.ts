import type { NodeProperty } from '@sluice/node-sdk';
import { messageProperties } from '../../shared/message-properties.ts';
import { atLeast, list, number, options, text, toggle, where } from '../../shared/properties.ts';

export const kafkaProperties: readonly NodeProperty[] = [
  text('topic', 'Topic', 'Topic of the message', { required: true }),
  ...messageProperties(),
  toggle('jsonParameters', 'JSON Parameters', 'Whether to set headers as JSON'),
  toggle('useSchemaRegistry', 'Use Schema Registry', 'Not supported yet'),
  toggle('callKey', 'Use Key', 'Whether to send a key: messages with the same key go to the same partition'),
  text('key', 'Key', 'Key of the message', { required: true, ...where({ callKey: [true] }) }),
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
    description: 'A JSON object; values other than text are sent as JSON',
    ...where({ jsonParameters: [true] }),
  },
  options([
    toggle('acks', 'Acks', 'Whether all in-sync replicas must acknowledge, instead of only the leader'),
    toggle('compression', 'Compression', 'Whether to compress the message with GZIP'),
    atLeast(0, number('timeout', 'Timeout', 30_000, 'Timeout for the brokers’ acknowledgment in milliseconds, at most 30000')),
  ]),
];
