import { createHash } from 'node:crypto';
import type { AMQPChannel } from '@cloudamqp/amqp-client/amqp-channel';
import type { AMQPMessage } from '@cloudamqp/amqp-client/amqp-message';
import { errorMessage, type ListenContext, NodeOperationError, type NodeType, type UnsupportedUse } from '@sluice/node-sdk';
import { openRabbitMq, type RabbitMqOutcome } from '../../clients/rabbitmq-client.ts';
import { coercedText } from '../../shared/coerced-text.ts';
import { emitPatiently, isRefusedForGood } from '../../shared/listening/emit-patiently.ts';
import { listenToBroker } from '../../shared/listening/listen-to-broker.ts';
import { oneByOne } from '../../shared/listening/one-by-one.ts';
import { pendingWork } from '../../shared/listening/pending-work.ts';
import {
  booleanParameter,
  choiceParameter,
  listParameter,
  numberParameter,
  refuseUnsupported,
  requiredText,
} from '../../shared/parameters.ts';
import { flag, named, shortText } from '../rabbitmq/protocol-values.ts';
import { rabbitMqMessageItem } from './rabbitmq-message-item.ts';
import { rabbitmqTriggerProperties } from './rabbitmq-trigger-properties.ts';

const unsupportedUses: readonly UnsupportedUse[] = [
  {
    parameter: 'options.acknowledge',
    values: ['laterMessageNode'],
    what: 'acknowledging a message from within the workflow',
    hint: 'Choose another option',
  },
];

/** Starts with each message in a queue. */
export const rabbitmqTrigger: NodeType = {
  description: {
    displayName: 'RabbitMQ Trigger',
    name: 'rabbitmq-trigger',
    group: ['trigger'],
    version: 1,
    description: 'Starts the workflow with each message in a queue on RabbitMQ or another AMQP 0-9-1 broker',
    defaults: { name: 'RabbitMQ Trigger' },
    inputs: [],
    outputs: ['main'],
    credentials: [{ name: 'rabbitmq', required: true }],
    properties: rabbitmqTriggerProperties,
    icon: 'fa:envelopes-bulk',
    iconColor: 'orange',
    subtitle: '={{ $parameter["queue"] }}',
  },
  unsupported: unsupportedUses,
  execute: (context) => [[...context.items()]],
  async trigger(context) {
    const queue = shortText('queue', 0, requiredText(context, 'queue', 0));
    const declare = queueOf(context, queue);
    const take = taker(context, queue);
    const prefetch = prefetchOf(context);
    const work = pendingWork();
    return listenToBroker(context, {
      service: 'RabbitMQ',
      open: async (signal) => openRabbitMq(await context.credentials('rabbitmq', 0), context, signal),
      async subscribe(client) {
        await client.ask(declare);
        await client.consume(queue, { prefetch, onMessage: (message) => work.add(take(message)) });
      },
      settled: () => work.settled(),
    });
  },
};

/** Declares and binds the queue. */
function queueOf(context: ListenContext, queue: string): (channel: AMQPChannel) => Promise<void> {
  const passive = !flag(context, 'assertQueue', 0, false);
  const [durable, autoDelete] = [flag(context, 'durable', 0, true), flag(context, 'autoDelete', 0, false)];
  const params = { passive, durable, autoDelete, exclusive: flag(context, 'exclusive', 0, false) };
  const args = named(context, 'options.arguments.argument', 0);
  const bindings = listParameter(context, 'options.binding.bindings', 0).map(({ exchange, routingKey }) => ({
    exchange: shortText('exchange', 0, coercedText(exchange)),
    routingKey: shortText('routingKey', 0, coercedText(routingKey)),
  }));
  return async (channel) => {
    await channel.queueDeclare(queue, params, args);
    for (const { exchange, routingKey } of bindings) await channel.queueBind(queue, exchange, routingKey);
  };
}

const maxPrefetch = 65_535;
const defaultPrefetch = 100;

function prefetchOf(context: ListenContext): number {
  const limit = numberParameter(context, 'options.parallelMessages', 0, -1);
  if (limit === -1) return defaultPrefetch;
  if (Number.isInteger(limit) && limit >= 1 && limit <= maxPrefetch) return limit;
  throw new NodeOperationError(
    `the parameter "options.parallelMessages" must be -1, or a whole number from 1 to ${maxPrefetch}`,
    { description: 'Use -1 for the default of 100' },
  );
}

const moments = ['immediately', 'executionFinishes', 'executionFinishesSuccessfully'] as const;

/** Handles a message and decides its settlement. */
function taker(context: ListenContext, queue: string): (message: AMQPMessage) => Promise<RabbitMqOutcome> {
  refuseUnsupported(context, unsupportedUses, 0);
  const moment = choiceParameter(context, 'options.acknowledge', 0, moments, 'immediately');
  const reading = {
    isBinary: booleanParameter(context, 'options.contentIsBinary', 0, false),
    parses: booleanParameter(context, 'options.jsonParseBody', 0, false),
    onlyContent: booleanParameter(context, 'options.onlyContent', 0, false),
  };
  const toItem = oneByOne((message: AMQPMessage) => rabbitMqMessageItem(context, message, reading));
  return async (message) => {
    try {
      // Without a key: a message that is redelivered after a failed execution must start another
      // execution.
      const key = moment === 'immediately' ? keyOf(queue, message) : undefined;
      const item = await toItem(message);
      const execution = await emitPatiently(context, [item], key === undefined ? {} : { key });
      if (moment === 'immediately') return 'ack';
      const status = await execution.ended();
      if (moment === 'executionFinishes' || status === 'success') return 'ack';
      return message.redelivered ? 'reject' : 'requeue';
    } catch (error) {
      return refused(context, error);
    }
  };
}

function refused(context: ListenContext, error: unknown): RabbitMqOutcome {
  if (!isRefusedForGood(error) && !(error instanceof RangeError)) {
    context.failed(error);
    return 'keep';
  }
  context.logger.error({ reason: errorMessage(error) }, 'an event did not start an execution');
  return 'reject';
}

/**
 * Deduplication key for messages with an ID. It includes the content, since some senders reuse IDs.
 */
function keyOf(queue: string, { properties: { messageId }, body }: AMQPMessage): string | undefined {
  if (!messageId) return undefined;
  return createHash('sha256')
    .update(JSON.stringify([queue, messageId]))
    .update(body ?? '')
    .digest('base64url');
}
