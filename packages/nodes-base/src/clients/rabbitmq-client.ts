import type { Socket } from 'node:net';
import { types } from 'node:util';
import type { AMQPBaseClient } from '@cloudamqp/amqp-client/amqp-base-client';
import type { AMQPChannel } from '@cloudamqp/amqp-client/amqp-channel';
import type { AMQPMessage } from '@cloudamqp/amqp-client/amqp-message';
import { type JsonObject, optionalCredentialText } from '@sluice/node-sdk';
import { maxResultBytes, resultTooLarge } from '../shared/byte-budget.ts';
import { keepAlive } from '../shared/listening/keep-alive.ts';
import { unsupported } from '../shared/parameters.ts';
import { flagOf, numberOf } from './client-data.ts';
import { answered, type ConnectionLoss, leave, watchLoss } from './connection-loss.ts';
import { type ConnectPort, openSocket } from './open-socket.ts';
import { tlsOf } from './tls-of.ts';

/** Largest frame in either direction: RabbitMQ's default. */
const maxFrameBytes = 131_072;

/** Frame type and offset of the body size. This frame comes first in each message. */
const headerFrame = { type: 2, bodySizeAt: 11 };

/** Size of type, channel, size, and end byte, in bytes. */
const frameEnvelope = 8;

/** A connection to an AMQP 0-9-1 broker. */
interface OpenRabbitMq {
  /**
   * Runs a request on a channel with publisher confirms. A refused request closes its channel; the
   * next request opens another. Rejects with the broker's error.
   */
  ask<T>(request: (channel: AMQPChannel) => Promise<T>): Promise<T>;
  /** Starts a consumer of a queue; resolves once the broker confirms. */
  consume(queue: string, consuming: RabbitMqConsuming): Promise<void>;
  /** Rejects with the error that ended the connection or the consumer; never resolves. */
  lost: Promise<never>;
  close(): Promise<void>;
}

/**
 * Settlement of a message. `keep` leaves it unacknowledged: the broker redelivers it after the
 * connection ends.
 */
export type RabbitMqOutcome = 'ack' | 'requeue' | 'reject' | 'keep';

interface RabbitMqConsuming {
  /** Maximum number of messages in flight. */
  prefetch: number;
  /** Never rejects. */
  onMessage(message: AMQPMessage): Promise<RabbitMqOutcome>;
}

/** A connected RabbitMQ client, from a credential of type `rabbitmq`; the caller closes it. */
export async function openRabbitMq(data: JsonObject, ports: ConnectPort, signal: AbortSignal): Promise<OpenRabbitMq> {
  if (flagOf(data, 'ssl') && flagOf(data, 'passwordless')) {
    throw unsupported('a login by certificate', 'Use a user name and password');
  }
  const host = optionalCredentialText(data, 'hostname').trim();
  const tls = flagOf(data, 'ssl') && tlsOf(data);
  const socket = await openSocket(ports, host, numberOf(data, 'port', 5672), { tls, signal });
  // Brokers reply to each message, so delays to fill a packet add up.
  socket.setNoDelay(true);
  keepAlive(socket);
  const { client, loss } = await startClient(socket, data);
  try {
    await answered(client.connect(), loss.lost).catch(rethrowPlain);
  } catch (error) {
    socket.destroy();
    throw error;
  }
  let channel: AMQPChannel | undefined;
  const openChannel = async () => {
    const opened = await client.channel();
    await opened.confirmSelect();
    return opened;
  };
  const ask: OpenRabbitMq['ask'] = async (request) => {
    if (channel === undefined || channel.closed) channel = await answered(openChannel(), loss.lost).catch(rethrowPlain);
    return answered(request(channel), loss.lost).catch(rethrowPlain);
  };
  return {
    ask,
    consume: (queue, consuming) => ask((on) => consumeOn(on, queue, consuming, loss)),
    lost: loss.lost,
    close: () => leave(socket, loss, () => client.close()),
  };
}

async function consumeOn(
  channel: AMQPChannel,
  queue: string,
  { prefetch, onMessage }: RabbitMqConsuming,
  { lose, refill }: ConnectionLoss,
): Promise<void> {
  await channel.basicQos(prefetch);
  const consumer = await channel.basicConsume(queue, { noAck: false }, (message) => {
    refill();
    void settle(message, onMessage(message)).catch((error: unknown) => lose(plain(error)));
  });
  // Also called when the queue is deleted or the broker closes the channel, while the connection
  // stays open.
  const onEnd = (error?: unknown) => lose(plain(error ?? new Error('the server ended the consumer: the queue may be gone')));
  consumer.wait().then(() => onEnd(), onEnd);
}

async function settle(message: AMQPMessage, outcome: Promise<RabbitMqOutcome>): Promise<void> {
  const settled = await outcome;
  if (settled === 'keep' || message.channel.closed) return;
  if (settled === 'ack') await message.ack();
  else await message.nack(settled === 'requeue');
}

/** Starts the library's client, whose transport is abstract, on a guarded socket. */
async function startClient(socket: Socket, data: JsonObject): Promise<{ client: AMQPBaseClient; loss: ConnectionLoss }> {
  const [{ AMQPBaseClient: Client }, { AMQPView }] = await Promise.all([
    import('@cloudamqp/amqp-client/amqp-base-client'),
    import('@cloudamqp/amqp-client/amqp-view'),
  ]);
  class SocketClient extends Client {
    connect() {
      const { promise, resolve, reject } = Promise.withResolvers<AMQPBaseClient>();
      this.connectPromise = [resolve, reject];
      socket.write('AMQP\0\0\x09\x01', 'latin1');
      return promise;
    }

    /**
     * Never rejects: `loss` reports a lost connection. Copies the bytes, since the library reuses
     * its buffer.
     */
    async send(bytes: Uint8Array) {
      if (socket.writable) socket.write(Buffer.from(bytes));
    }

    receive(frame: Buffer) {
      this.parseFrames(new AMQPView(frame.buffer, frame.byteOffset, frame.length));
    }

    protected closeSocket() {
      socket.destroySoon();
    }
  }
  const [user, password, vhost] = ['username', 'password', 'vhost'].map((field) => optionalCredentialText(data, field));
  const client = new SocketClient(vhost || '/', user || 'guest', password ?? '', 'Sluice', undefined, maxFrameBytes);
  const loss = watchLoss(socket);
  readFrames(socket, loss, (frame) => client.receive(frame));
  client.ondisconnect = (reason) => reason && loss.lose(plain(reason));
  return { client, loss };
}

/** Splits incoming bytes into frames; ends the connection if a frame is invalid. */
function readFrames(socket: Socket, { lose }: ConnectionLoss, onFrame: (frame: Buffer) => void): void {
  let rest: Buffer = Buffer.alloc(0);
  socket.on('data', (chunk: Buffer) => {
    rest = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    try {
      while (rest.length >= frameEnvelope) {
        const size = rest.readUInt32BE(3) + frameEnvelope;
        if (size > maxFrameBytes) throw new Error('the server does not speak AMQP 0-9-1');
        if (rest.length < size) return;
        if (bodySizeOf(rest) > maxResultBytes) throw resultTooLarge();
        onFrame(rest.subarray(0, size));
        rest = rest.subarray(size);
      }
    } catch (error) {
      lose(plain(error));
    }
  });
}

/** Body size that a header frame declares; the library allocates it at once. */
function bodySizeOf(frame: Buffer): number {
  const { type, bodySizeAt } = headerFrame;
  return frame[0] === type && frame.length >= bodySizeAt + 8 ? Number(frame.readBigUInt64BE(bodySizeAt)) : 0;
}

/**
 * A short error: the library's errors reference the whole client, and report oversized values as
 * buffer errors.
 */
function plain(error: unknown): unknown {
  if (!types.isNativeError(error)) return error;
  if (error.name === 'RangeError') return new Error('names, headers, or arguments are too long for the protocol');
  return 'connection' in error ? new Error(error.message) : error;
}

function rethrowPlain(error: unknown): never {
  throw plain(error);
}
