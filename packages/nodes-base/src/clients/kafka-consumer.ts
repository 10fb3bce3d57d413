import { promisify } from 'node:util';
import { gzip, unzip } from 'node:zlib';
import { type JsonObject, untilAborted } from '@sluice/node-sdk';
import type { ConsumerConfig, EachBatchPayload, KafkaMessage } from 'kafkajs';
import { maxResultBytes } from '../shared/byte-budget.ts';
import { settledWithin } from '../shared/listening/settled-within.ts';
import { answered, goodbyeMs } from './connection-loss.ts';
import { guardedSockets, kafkaConfig } from './kafka-client.ts';
import { loadKafka } from './kafka-library.ts';
import type { ConnectPort } from './open-socket.ts';

/** A message with its place. */
export interface PlacedKafkaMessage {
  topic: string;
  partition: number;
  message: KafkaMessage;
}

export interface KafkaConsuming {
  topic: string;
  /** What a group that has read nothing yet begins with. */
  fromBeginning: boolean;
  /** Of the group, and how it fetches. */
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
  /** Messages that are taken at a time. */
  atOnce: number;
  /** Takes a message; the group's offset moves on once it and all before it have been taken. A rejection ends the consumer. */
  onMessage(message: PlacedKafkaMessage): Promise<unknown>;
  /** Called, once or more often, where it cannot go on. */
  onLost(error: unknown): void;
}

/**
 * Reads a topic as a member of a group, from a credential of type `kafka`; resolves once the group has taken it in. All its connections, to each broker that the
 * cluster names, are guarded.
 */
export async function openKafkaConsumer(
  data: JsonObject,
  ports: ConnectPort,
  signal: AbortSignal,
  { topic, fromBeginning, config, atOnce, onMessage, onLost }: KafkaConsuming,
): Promise<{ close(): Promise<void> }> {
  const library = await loadKafka();
  boundCompression(library);
  const sockets = guardedSockets(ports, data['ssl'] !== false, signal);
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
  const takeBatch = async ({ batch, heartbeat, isRunning, isStale }: EachBatchPayload) => {
    const beating = setInterval(() => heartbeat().catch(() => {}), config.heartbeatInterval ?? defaultHeartbeatMs);
    try {
      for (let start = 0; start < batch.messages.length; start += atOnce) {
        if (isClosing || !isRunning() || isStale()) return;
        const messages = batch.messages.slice(start, start + atOnce);
        await Promise.all(messages.map((message) => onMessage({ topic: batch.topic, partition: batch.partition, message })));
        const next = BigInt(messages.at(-1)?.offset ?? batch.firstOffset() ?? 0) + 1n;
        await consumer.commitOffsets([{ topic: batch.topic, partition: batch.partition, offset: String(next) }]);
      }
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
    await consumer.run({ autoCommit: false, eachBatchAutoResolve: true, eachBatch: takeBatch });
    // Where the newest message lies is asked with the first fetch: what comes after the start has to lie behind it.
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

const defaultHeartbeatMs = 3_000;

/** Milliseconds; a cluster without a message answers after five seconds, and a member without a partition never fetches. */
const firstFetchMs = 6_000;

/** The library's own unpacks whatever it is sent, to whatever size. */
function boundCompression({ CompressionCodecs, CompressionTypes }: typeof import('kafkajs')): void {
  CompressionCodecs[CompressionTypes.GZIP] = () => ({
    compress: ({ buffer }: { buffer: Buffer }) => promisify(gzip)(buffer),
    decompress: (buffer: Buffer) => unpack(buffer, { maxOutputLength: maxResultBytes }),
  });
}

const unpack = promisify(unzip) as (buffer: Buffer, options: { maxOutputLength: number }) => Promise<Buffer>;
