import { promisify } from 'node:util';
import { gzip, unzip } from 'node:zlib';
import { type JsonObject, untilAborted } from '@sluice/node-sdk';
import type { Consumer, ConsumerConfig, EachBatchPayload, KafkaMessage } from 'kafkajs';
import { maxResultBytes } from '../shared/byte-budget.ts';
import { settledWithin } from '../shared/listening/settled-within.ts';
import { flagOf } from './client-data.ts';
import { answered, goodbyeMs } from './connection-loss.ts';
import { guardedSockets, kafkaConfig } from './kafka-client.ts';
import { loadKafka } from './kafka-library.ts';
import type { ConnectPort } from './open-socket.ts';

/** A message with its position. */
export interface PlacedKafkaMessage {
  topic: string;
  partition: number;
  message: KafkaMessage;
}

export interface KafkaConsuming {
  topic: string;
  /** Whether a group without committed offsets starts at the oldest message. */
  fromBeginning: boolean;
  /** Settings of the group and its fetches. */
  config: Pick<
    ConsumerConfig,
    | 'groupId'
    | 'sessionTimeout'
    | 'heartbeatInterval'
    | 'rebalanceTimeout'
    | 'maxBytes'
    | 'minBytes'
    | 'maxInFlightRequests'
    | 'allowAutoTopicCreation'
  >;
  /** Maximum number of messages processed at a time. */
  atOnce: number;
  /**
   * Processes a message. The group's offset advances once this message and all before it are
   * processed. A rejection ends the consumer.
   */
  onMessage(message: PlacedKafkaMessage): Promise<unknown>;
  /** Called at least once if it cannot continue. */
  onLost(error: unknown): void;
}

/**
 * Joins a consumer group and reads a topic, with a credential of type `kafka`; resolves once the
 * group has accepted the member. Connections to all of the cluster's brokers are guarded.
 */
export async function openKafkaConsumer(
  data: JsonObject,
  ports: ConnectPort,
  signal: AbortSignal,
  consuming: KafkaConsuming,
): Promise<{ close(): Promise<void> }> {
  const { topic, fromBeginning, config, onLost } = consuming;
  const library = await loadKafka();
  boundCompression(library);
  const sockets = guardedSockets(ports, flagOf(data, 'ssl', true), signal);
  const kafka = new library.Kafka({ ...kafkaConfig(data), socketFactory: sockets.factory, logLevel: library.logLevel.NOTHING });
  const consumer = kafka.consumer({
    ...config,
    retry: { retries: 3, initialRetryTime: 100, restartOnFailure: async () => false },
  });
  let isClosing = false;
  const lose = (error: unknown) => isClosing || onLost(sockets.reason(error));
  consumer.on(consumer.events.CRASH, ({ payload: { error } }) => lose(error));
  consumer.on(consumer.events.FETCH, () => sockets.refill());
  sockets.blocked.catch(lose);
  const eachBatch = async (payload: EachBatchPayload) => {
    const { heartbeat } = payload;
    const beating = setInterval(() => heartbeat().catch(() => {}), config.heartbeatInterval ?? defaultHeartbeatMs);
    try {
      await processBatch(payload, consumer, consuming, () => isClosing);
    } catch (error) {
      lose(error);
      throw error;
    } finally {
      clearInterval(beating);
    }
  };
  const close = async () => {
    isClosing = true;
    await answered(consumer.disconnect(), sockets.blocked, goodbyeMs - 200).catch(() => {});
    sockets.close();
  };
  const fetched = new Promise((resolve) => consumer.on(consumer.events.FETCH, resolve));
  const start = async () => {
    await consumer.connect();
    await consumer.subscribe({ topics: [topic], fromBeginning });
    await consumer.run({ autoCommit: false, eachBatchAutoResolve: true, eachBatch });
    // The first fetch determines the newest offset, so messages sent after the start are not
    // missed.
    if (!fromBeginning) await settledWithin(fetched, firstFetchMs);
  };
  try {
    await untilAborted(Promise.race([start(), sockets.blocked]), signal);
    return { close };
  } catch (error) {
    await close();
    throw sockets.reason(error);
  }
}

/**
 * Processes the messages of a batch and commits their offsets in order, until the consumer closes.
 */
async function processBatch(
  { batch, isRunning, isStale }: EachBatchPayload,
  consumer: Consumer,
  { atOnce, onMessage }: Pick<KafkaConsuming, 'atOnce' | 'onMessage'>,
  isClosing: () => boolean,
): Promise<void> {
  const { topic, partition } = batch;
  for (let start = 0; start < batch.messages.length; start += atOnce) {
    if (isClosing() || !isRunning() || isStale()) return;
    const messages = batch.messages.slice(start, start + atOnce);
    await Promise.all(messages.map((message) => onMessage({ topic, partition, message })));
    const next = BigInt(messages.at(-1)?.offset ?? batch.firstOffset() ?? 0) + 1n;
    await consumer.commitOffsets([{ topic, partition, offset: `${next}` }]);
  }
}

const defaultHeartbeatMs = 3_000;

/**
 * In milliseconds. An empty cluster responds after five seconds; a member without partitions never
 * fetches.
 */
const firstFetchMs = 6_000;

/** Replaces the library's decompression, which does not limit its output. */
function boundCompression({ CompressionCodecs, CompressionTypes }: typeof import('kafkajs')): void {
  CompressionCodecs[CompressionTypes.GZIP] = () => ({
    compress: ({ buffer }: { buffer: Buffer }) => promisify(gzip)(buffer),
    decompress: (buffer: Buffer) => unpack(buffer, { maxOutputLength: maxResultBytes }),
  });
}

const unpack = promisify(unzip) as (buffer: Buffer, options: { maxOutputLength: number }) => Promise<Buffer>;
