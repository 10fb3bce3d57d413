import type { Socket } from 'node:net';
import {
  type AppError,
  credentialText,
  isAppError,
  type JsonObject,
  optionalCredentialText,
  untilAborted,
} from '@sluice/node-sdk';
import type { ISocketFactory, KafkaConfig, Message, SASLOptions } from 'kafkajs';
import { flagOf } from './client-data.ts';
import { ConnectingSocket } from './connecting-socket.ts';
import { answered, goodbyeMs } from './connection-loss.ts';
import { loadKafka } from './kafka-library.ts';
import { type ConnectPort, loginTimeoutMs, openSocket } from './open-socket.ts';

/** Producer options for one message. */
interface KafkaSending {
  /** Whether all in-sync replicas must acknowledge, rather than only the leader. */
  allReplicas: boolean;
  gzip: boolean;
  /** Time within which brokers must acknowledge, in milliseconds. */
  timeoutMs: number;
}

/** A connection to a Kafka cluster. */
interface OpenKafka {
  /** Resolves to the topic, partition, and offset of the message. */
  send(topic: string, message: Message, how: KafkaSending): Promise<JsonObject>;
  close(): Promise<void>;
}

/**
 * A connected producer, from a credential of type `kafka`. Connections to all of the cluster's
 * brokers are guarded.
 */
export async function openKafka(data: JsonObject, ports: ConnectPort, signal: AbortSignal): Promise<OpenKafka> {
  const { Kafka, logLevel, Partitioners } = await loadKafka();
  const sockets = guardedSockets(ports, flagOf(data, 'ssl', true), signal);
  const kafka = new Kafka({
    ...kafkaConfig(data),
    socketFactory: sockets.factory,
    logLevel: logLevel.NOTHING,
  });
  const producer = kafka.producer({
    createPartitioner: Partitioners.DefaultPartitioner,
    retry: { retries: 3, initialRetryTime: 100 },
  });
  const ask = async <T>(work: Promise<T>): Promise<T> => {
    try {
      return await untilAborted(Promise.race([work, sockets.blocked]), signal);
    } catch (error) {
      throw sockets.reason(error);
    }
  };
  const close = async () => {
    await answered(producer.disconnect(), sockets.blocked, goodbyeMs).catch(() => {});
    sockets.close();
  };
  try {
    await ask(producer.connect());
  } catch (error) {
    sockets.close();
    throw error;
  }
  return {
    async send(topic, message, { allReplicas, gzip, timeoutMs }) {
      const [acks, compression] = [allReplicas ? -1 : 1, gzip ? 1 : 0];
      const [written] = await ask(producer.send({ topic, messages: [message], acks, compression, timeout: timeoutMs }));
      const facts: [string, string | number | undefined][] = Object.entries(written ?? {});
      return Object.fromEntries(facts.flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])));
    },
    close,
  };
}

export function kafkaConfig(data: JsonObject): KafkaConfig {
  const brokers = credentialText(data, 'brokers')
    .split(',')
    .map((broker) => broker.trim())
    .filter((broker) => broker !== '');
  return {
    brokers,
    clientId: optionalCredentialText(data, 'clientId') || 'sluice',
    ...(flagOf(data, 'authentication') && { sasl: loginOf(data) }),
    connectionTimeout: loginTimeoutMs,
    authenticationTimeout: loginTimeoutMs,
    retry: { retries: 2, initialRetryTime: 100 },
  };
}

function loginOf(data: JsonObject): SASLOptions {
  const username = credentialText(data, 'username');
  const password = credentialText(data, 'password');
  const mechanism = optionalCredentialText(data, 'saslMechanism', 'plain');
  if (mechanism === 'scram-sha-256') return { mechanism, username, password };
  if (mechanism === 'scram-sha-512') return { mechanism, username, password };
  return { mechanism: 'plain', username, password };
}

/** Sockets of one client, each opened through the guarded port. */
export function guardedSockets(ports: ConnectPort, tls: boolean, signal: AbortSignal) {
  const opened = new Set<ConnectingSocket>();
  const { promise: blocked, reject } = Promise.withResolvers<never>();
  blocked.catch(() => {});
  let failure: AppError | undefined;
  const open = async (host: string, port: number) => {
    try {
      const socket = await openSocket(ports, host, port, { tls, signal });
      failure = undefined;
      return socket;
    } catch (error) {
      if (isAppError(error)) failure = error;
      // Retries cannot succeed, but the library would keep trying.
      if (failure?.code === 'CONNECTION_BLOCKED') reject(failure);
      throw error;
    }
  };
  const factory: ISocketFactory = ({ host, port, onConnect }) => {
    const socket = new ConnectingSocket(() => open(host, port), onConnect);
    opened.add(socket);
    socket.once('close', () => opened.delete(socket));
    return socket as unknown as Socket;
  };
  return {
    factory,
    blocked,
    /**
     * The cause of a library error: the error's own message only states that there is no
     * connection.
     */
    reason: (error: unknown): unknown =>
      error instanceof Error && /^Connection (error|timeout)/.test(error.message) && failure ? failure : error,
    /** Resets the byte budget. */
    refill() {
      for (const socket of opened) socket.refill();
    },
    /** Closes with an error: otherwise, the library's timers keep running. */
    close() {
      for (const socket of opened) socket.destroy(new Error('the connection was closed'));
    },
  };
}
