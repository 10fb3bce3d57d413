import { createHash } from 'node:crypto';
import { type Item, type ListenContext, type NodeType, stringifyJson } from '@sluice/node-sdk';
import type { Message } from 'rhea';
import { type AmqpOutcome, openAmqp } from '../../clients/amqp-client.ts';
import { emitInOrder } from '../../shared/listening/emit-in-order.ts';
import { listenToBroker } from '../../shared/listening/listen-to-broker.ts';
import { jsonParseBody, parallelProcessing } from '../../shared/listening/message-options.ts';
import { oneByOne } from '../../shared/listening/one-by-one.ts';
import { pendingWork } from '../../shared/listening/pending-work.ts';
import { booleanParameter, requiredText, textParameter } from '../../shared/parameters.ts';
import { between, number, options, text, toggle } from '../../shared/properties.ts';
import { wholeNumber } from '../../shared/whole-number.ts';
import { amqpMessageItem } from './amqp-message-item.ts';

/** Starts with each message of a queue or topic. */
export const amqpTrigger: NodeType = {
  description: {
    displayName: 'AMQP Trigger',
    name: 'amqp-trigger',
    group: ['trigger'],
    version: 1,
    description:
      'Starts the workflow with each message of a queue or topic of an AMQP 1.0 broker. A message is accepted once its execution is committed',
    defaults: { name: 'AMQP Trigger' },
    inputs: [],
    outputs: ['main'],
    credentials: [{ name: 'amqp', required: true }],
    properties: [
      text('sink', 'Queue / Topic', 'Address at the broker', { required: true }),
      text('clientname', 'Client Name', 'Container ID of the client; required for a durable subscription'),
      text(
        'subscription',
        'Subscription',
        'Name of a durable subscription to a topic: the broker keeps messages while no listener is connected',
      ),
      options([
        text('containerId', 'Container ID', 'Container ID, instead of the client name'),
        toggle(
          'jsonConvertByteArrayToUtf8',
          'Convert Body From Byte to String',
          'Whether to decode a binary body as text instead of base64',
        ),
        jsonParseBody,
        between(1, 10_000, number('pullMessagesNumber', 'Messages per Cicle', 100, 'Maximum number of messages in flight')),
        toggle(
          'onlyBody',
          'Only Body',
          'Whether the item is only the body if that is an object; any other body becomes its field `body`',
        ),
        parallelProcessing,
        toggle('reconnect', 'Reconnect', 'Has no effect: a lost connection is always reopened', { default: true }),
        number('reconnectLimit', 'Reconnect Limit', 50, 'Has no effect, like `reconnect`'),
        number('sleepTime', 'Sleep Time', 10, 'Has no effect: the broker sends messages as fast as they are processed'),
      ]),
    ],
    icon: 'fa:paper-plane',
    iconColor: 'blue',
    subtitle: '={{ $parameter["sink"] }}',
  },
  execute: (context) => [[...context.items()]],
  async trigger(context) {
    const address = requiredText(context, 'sink', 0).trim();
    const parallel = booleanParameter(context, 'options.parallelProcessing', 0, true);
    const receiving = {
      credit: parallel ? wholeNumber(context, 'options.pullMessagesNumber', 100, { from: 1, to: 10_000 }) : 1,
      subscription: textParameter(context, 'subscription', 0).trim(),
    };
    const toItem = itemReader(context);
    const work = pendingWork();
    const onMessage = (message: Message) => work.add(take(context, { message, address, parallel, toItem }));
    return listenToBroker(context, {
      service: 'AMQP',
      open: async (signal) => openAmqp(await context.credentials('amqp', 0), context, signal, containerId(context)),
      subscribe: (client) => client.receive(address, { ...receiving, onMessage }),
      settled: () => work.settled(),
    });
  },
};

function containerId(context: ListenContext): string {
  return textParameter(context, 'options.containerId', 0).trim() || textParameter(context, 'clientname', 0).trim();
}

function itemReader(context: ListenContext): (message: Message) => Promise<Item> {
  const reading = {
    bytesAsText: booleanParameter(context, 'options.jsonConvertByteArrayToUtf8', 0, false),
    parses: booleanParameter(context, 'options.jsonParseBody', 0, false),
    onlyBody: booleanParameter(context, 'options.onlyBody', 0, false),
  };
  return oneByOne((message) => amqpMessageItem(message, reading));
}

interface Taking {
  message: Message;
  address: string;
  parallel: boolean;
  toItem(message: Message): Promise<Item>;
}

async function take(context: ListenContext, { message, address, parallel, toItem }: Taking): Promise<AmqpOutcome> {
  try {
    const item = await toItem(message);
    const key = await keyOf(address, message, item);
    const started = await emitInOrder(context, [item], { parallel, ...(key !== undefined && { key }) });
    return started ? 'accept' : 'reject';
  } catch (error) {
    if (!(error instanceof RangeError)) {
      context.failed(error);
      return 'keep';
    }
    context.logger.error({ reason: 'the message is nested too deeply' }, 'an event did not start an execution');
    return 'reject';
  }
}

/**
 * Deduplication key for messages with an ID. It includes the content, since some senders reuse IDs.
 */
async function keyOf(address: string, { message_id: id }: Message, item: Item): Promise<string | undefined> {
  if (id === undefined || id === null) return undefined;
  return createHash('sha256')
    .update(await stringifyJson([address, `${id}`, item.json]))
    .digest('base64url');
}
