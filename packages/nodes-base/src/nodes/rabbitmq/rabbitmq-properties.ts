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
  text('routingKey', 'Routing Key', 'What the exchange routes by', where(toExchange)),
  ...messageProperties(sending),
  options(
    [
      text('alternateExchange', 'Alternate Exchange', 'Where an exchange sends what it cannot route'),
      namesAndValues('arguments', 'Arguments', 'argument', 'Of the queue or exchange, such as `x-message-ttl`'),
      toggle('assertExchange', 'Assert Exchange', 'Whether the exchange is made where it is not there; else that is an error', {
        default: true,
      }),
      toggle('assertQueue', 'Assert Queue', 'Whether the queue is made where it is not there; else that is an error', {
        default: true,
      }),
      toggle('autoDelete', 'Auto Delete', 'Whether queue or exchange go with their last user'),
      toggle('durable', 'Durable', 'Whether queue or exchange, and the message, survive a restart of the broker', {
        default: true,
      }),
      toggle('exclusive', 'Exclusive', 'Whether the queue is for this connection alone'),
      namesAndValues('headers', 'Headers', 'header', 'Of the message'),
    ],
    where(sending),
  ),
];
