import {
  type Item,
  isJsonObject,
  type JsonObject,
  type ListenContext,
  NodeOperationError,
  type NodeType,
  type UnsupportedUse,
} from '@sluice/node-sdk';
import type { KafkaMessage } from 'kafkajs';
import { type KafkaConsuming, openKafkaConsumer, type PlacedKafkaMessage } from '../../clients/kafka-consumer.ts';
import { connectionFailed } from '../../shared/connection-failed.ts';
import { setOwn } from '../../shared/field-path.ts';
import { emitInOrder } from '../../shared/listening/emit-in-order.ts';
import { oneByOne } from '../../shared/listening/one-by-one.ts';
import { whileOpening } from '../../shared/listening/while-opening.ts';
import { booleanParameter, refuseUnsupported, requiredText } from '../../shared/parameters.ts';
import { parsedOrText } from '../../shared/parsed-or-text.ts';
import { wholeNumber } from '../../shared/whole-number.ts';
import { kafkaTriggerProperties } from './kafka-trigger-properties.ts';

const unsupportedUses: readonly UnsupportedUse[] = [
  { parameter: 'useSchemaRegistry', what: 'a schema registry', hint: 'Send JSON' },
];

/** Starts with each message of a topic. */
export const kafkaTrigger: NodeType = {
  description: {
    displayName: 'Kafka Trigger',
    name: 'kafka-trigger',
    group: ['trigger'],
    version: [1, 1.1, 1.2, 1.3],
    description:
      'Starts the workflow with each message in a Kafka topic. The offset advances once the executions are committed, and a message that is redelivered within a day starts no second execution',
    defaults: { name: 'Kafka Trigger' },
    inputs: [],
    outputs: ['main'],
    credentials: [{ name: 'kafka', required: true }],
    properties: kafkaTriggerProperties,
    icon: 'fa:stream',
    iconColor: 'gray',
    subtitle: '={{ $parameter["topic"] }}',
  },
  unsupported: unsupportedUses,
  execute: (context) => [[...context.items()]],
  async trigger(context) {
    const consuming = consumingOf(context);
    const consumer = await whileOpening(context.signal, async (signal) =>
      openKafkaConsumer(await context.credentials('kafka', 0), context, signal, consuming),
    ).catch((error: unknown) => Promise.reject(connectionFailed(error, 'Kafka')));
    return { close: () => consumer.close() };
  },
};

/** Number of messages per commit. */
const batchSize = 100;

function consumingOf(context: ListenContext): KafkaConsuming {
  refuseUnsupported(context, unsupportedUses, 0);
  const parallel = booleanParameter(context, 'options.parallelProcessing', 0, true);
  const toItem = oneByOne(itemReader(context));
  const groupId = requiredText(context, 'groupId', 0).trim();
  return {
    topic: topicOf(context),
    fromBeginning: booleanParameter(context, 'options.fromBeginning', 0, true),
    config: { groupId, ...configOf(context) },
    atOnce: parallel ? batchSize : 1,
    onMessage: async (placed) => emitInOrder(context, [await toItem(placed)], { parallel, key: keyOf(placed) }),
    onLost: (error) => context.failed(connectionFailed(error, 'Kafka')),
  };
}

function configOf(context: ListenContext): Omit<KafkaConsuming['config'], 'groupId'> {
  const range = { from: 1, to: 3_600_000 };
  return {
    allowAutoTopicCreation: booleanParameter(context, 'options.allowAutoTopicCreation', 0, false),
    maxBytes: wholeNumber(context, 'options.fetchMaxBytes', 1_048_576, { from: 1, to: 10_485_760 }),
    minBytes: wholeNumber(context, 'options.fetchMinBytes', 1, { from: 1, to: 10_485_760 }),
    heartbeatInterval: wholeNumber(context, 'options.heartbeatInterval', 3_000, range),
    maxInFlightRequests: wholeNumber(context, 'options.maxInFlightRequests', 1, { from: 1, to: 100 }),
    rebalanceTimeout: wholeNumber(context, 'options.rebalanceTimeout', 600_000, range),
    sessionTimeout: wholeNumber(context, 'options.sessionTimeout', 30_000, range),
  };
}

function topicOf(context: ListenContext): string {
  const topic = requiredText(context, 'topic', 0).trim();
  if (/^[\w.-]{1,249}$/.test(topic)) return topic;
  throw new NodeOperationError('the parameter "topic" must be at most 249 letters, digits, dots, underscores, and dashes', {
    description: 'Check the topic name',
  });
}

/** Deduplication key: the message's position is unique in a cluster. */
function keyOf({ topic, partition, message }: PlacedKafkaMessage): string {
  return `${partition}/${message.offset}/${message.timestamp} ${topic}`.slice(0, 255);
}

function itemReader(context: ListenContext): (placed: PlacedKafkaMessage) => Promise<Item> {
  const flag = (name: string) => booleanParameter(context, `options.${name}`, 0, false);
  const parses = flag('jsonParseMessage');
  const alone = flag('onlyMessage');
  const withHeaders = flag('returnHeaders');
  const asFile = flag('keepBinaryData');
  return async ({ topic, message: { value, headers } }) => {
    const text = value?.toString() ?? '';
    const message = parses ? await parsedOrText(text) : text;
    const plain = alone ? (isJsonObject(message) ? message : { message }) : { message, topic };
    const json: JsonObject = withHeaders ? { ...plain, headers: headersOf(headers) } : plain;
    if (!asFile) return { json };
    return { json, binary: { data: await context.binary.store(value ?? new Uint8Array(), { fileName: 'message' }) } };
  };
}

function headersOf(headers: KafkaMessage['headers'] = {}): JsonObject {
  const json: JsonObject = {};
  for (const [name, value] of Object.entries(headers)) {
    const texts = [value ?? ''].flat().map((one) => one.toString());
    setOwn(json, name, texts.length === 1 ? (texts[0] ?? '') : texts);
  }
  return json;
}
