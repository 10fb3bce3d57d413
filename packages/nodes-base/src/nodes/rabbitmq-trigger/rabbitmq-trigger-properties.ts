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
        ['executionFinishes', 'Execution Finishes', 'After its execution has ended with any status'],
        [
          'executionFinishesSuccessfully',
          'Execution Finishes Successfully',
          'On failure, the message is redelivered once, then rejected to the dead letter exchange, if any',
        ],
        ['immediately', 'Immediately', 'After its execution is committed'],
        ['laterMessageNode', 'Specified Later in Workflow', 'Not supported'],
      ),
      { default: 'immediately', description: 'When a message is acknowledged' },
    ),
    list('arguments', 'Arguments', 'argument', [text('key', 'Key', 'Its name'), text('value', 'Value', 'Its value')], {
      description: 'Arguments of the queue, such as `x-message-ttl`',
    }),
    toggle('assertQueue', 'Assert Queue Exists', 'Whether to create a missing queue instead of failing'),
    toggle('autoDelete', 'Auto Delete Queue', 'Whether the queue is deleted with its last consumer'),
    list(
      'binding',
      'Bindings',
      'bindings',
      [text('exchange', 'Exchange', 'Its name'), text('routingKey', 'Routing Key', 'Routing key or pattern of the binding')],
      { description: 'Exchanges to bind the queue to' },
    ),
    toggle('contentIsBinary', 'Content Is Binary', 'Whether to add the body as the file `data` of the item'),
    toggle('durable', 'Durable', 'Whether the queue survives a restart of the broker', { default: true }),
    toggle('exclusive', 'Exclusive', 'Whether only this connection may use the queue'),
    jsonParseBody,
    toggle(
      'onlyContent',
      'Only Content',
      'Whether the item is only the body if that is an object; any other body becomes its field `content`',
    ),
    number('parallelMessages', 'Parallel Message Processing Limit', -1, 'Maximum number of unacknowledged messages; -1: 100'),
  ]),
];
