import type { NodeProperty } from '@sluice/node-sdk';
import { jsonParseBody } from '../../shared/listening/message-options.ts';
import { choice, choices, list, number, options, text, toggle } from '../../shared/properties.ts';

export const rabbitmqTriggerProperties: readonly NodeProperty[] = [
  text('queue', 'Queue / Topic', 'Name of the queue', { required: true }),
  options([
    choice(
      'acknowledge',
      'Delete From Queue When',
      choices(
        ['executionFinishes', 'Execution Finishes', 'Once its execution has ended, however it did'],
        [
          'executionFinishesSuccessfully',
          'Execution Finishes Successfully',
          'Else the message is delivered once more, and then rejected: into the dead letter exchange, where the queue has one',
        ],
        ['immediately', 'Immediately', 'Once its execution is sure to run'],
        ['laterMessageNode', 'Specified Later in Workflow', 'Not supported'],
      ),
      { default: 'immediately', description: 'When a message is acknowledged' },
    ),
    list('arguments', 'Arguments', 'argument', [text('key', 'Key', 'Its name'), text('value', 'Value', 'Its value')], {
      description: 'Of the queue, such as `x-message-ttl`',
    }),
    toggle('assertQueue', 'Assert Queue Exists', 'Whether the queue is made where it is not there; else that is an error'),
    toggle('autoDelete', 'Auto Delete Queue', 'Whether the queue goes with its last consumer'),
    list(
      'binding',
      'Bindings',
      'bindings',
      [text('exchange', 'Exchange', 'Its name'), text('routingKey', 'Routing Key', 'What of the exchange goes into the queue')],
      { description: 'Exchanges that the queue gets messages from' },
    ),
    toggle('contentIsBinary', 'Content Is Binary', 'Whether the body comes as the file `data` of the item'),
    toggle('durable', 'Durable', 'Whether the queue survives a restart of the broker', { default: true }),
    toggle('exclusive', 'Exclusive', 'Whether the queue is for this connection alone'),
    jsonParseBody,
    toggle(
      'onlyContent',
      'Only Content',
      'Whether the item is the body alone, where that is an object; any other body is its field `content`',
    ),
    number(
      'parallelMessages',
      'Parallel Message Processing Limit',
      -1,
      'Messages that may wait to be acknowledged at a time; -1: 100',
    ),
  ]),
];
