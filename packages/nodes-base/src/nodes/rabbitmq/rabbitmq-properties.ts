import type { NodeProperty } from '@sluice/node-sdk';
import { messageProperties } from '../../shared/message-properties.ts';
import { choice, choices, list, options, text, toggle, where } from '../../shared/properties.ts';

const sending = { operation: ['sendMessage'] };
const toQueue = { ...sending, mode: ['queue'] };
const toExchange = { ...sending, mode: ['exchange'] };

const namesAndValues = (name: string, displayName: string, group: string, description: string): NodeProperty =>
  list(name, displayName, group, [text('key', 'Key', 'Its name'), text('value', 'Value', 'Its value')], { description });

export const rabbitmqProperties: readonly NodeProperty[] = [
  choice(
    'operation',
    'Operation',
    choices(['sendMessage', 'Send a Message'], ['deleteMessage', 'Delete From Queue', 'Not supported yet']),
  ),
  choice('mode', 'Mode', choices(['queue', 'Queue'], ['exchange', 'Exchange']), where(sending)),
  text('queue', 'Queue / Topic', 'Name of the queue', { required: true, ...where(toQueue) }),
  text('exchange', 'Exchange', 'Name of the exchange', { required: true, ...where(toExchange) }),
  choice(
    'exchangeType',
    'Type',
    choices(
      ['direct', 'Direct', 'To the queues of the routing key'],
      ['topic', 'Topic', 'To the queues whose pattern matches the routing key'],
      ['headers', 'Headers', 'To the queues that match the headers'],
      ['fanout', 'Fanout', 'To all its queues'],
    ),
    { default: 'fanout', ...where(toExchange) },
  ),
  text('routingKey', 'Routing Key', 'Key that the exchange routes by', where(toExchange)),
  ...messageProperties(sending),
  options(
    [
      text('alternateExchange', 'Alternate Exchange', 'Exchange for messages that cannot be routed'),
      namesAndValues('arguments', 'Arguments', 'argument', 'Arguments of the queue or exchange, such as `x-message-ttl`'),
      toggle('assertExchange', 'Assert Exchange', 'Whether to create a missing exchange instead of failing', {
        default: true,
      }),
      toggle('assertQueue', 'Assert Queue', 'Whether to create a missing queue instead of failing', {
        default: true,
      }),
      toggle('autoDelete', 'Auto Delete', 'Whether the queue or exchange is deleted with its last user'),
      toggle('durable', 'Durable', 'Whether the queue or exchange and the message survive a restart of the broker', {
        default: true,
      }),
      toggle('exclusive', 'Exclusive', 'Whether only this connection may use the queue'),
      namesAndValues('headers', 'Headers', 'header', 'Headers of the message'),
    ],
    where(sending),
  ),
];
