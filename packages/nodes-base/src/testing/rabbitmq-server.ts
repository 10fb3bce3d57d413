// Injects behavior that RabbitMQ (tests/services) does not have, such as false sizes, and shows
// each outcome.
import { createServer, type Socket } from 'node:net';
import type { AMQPProperties } from '@cloudamqp/amqp-client/amqp-properties';
import { AMQPView } from '@cloudamqp/amqp-client/amqp-view';
import { type LoopbackServer, listening } from '@sluice/http-client/testing';

/** A message as the broker received it. */
interface RabbitMqMessage {
  exchange: string;
  routingKey: string;
  text: string;
  headers?: object;
  deliveryMode?: number;
}

export interface RabbitMqServer extends LoopbackServer {
  messages: RabbitMqMessage[];
  /** Declared queues and exchanges, with their arguments. */
  declared: { name: string; arguments: object }[];
  connections: number;
  /** Queue and exchange of each binding. */
  bindings: { queue: string; exchange: string; routingKey: string }[];
  /** Acknowledgments of consumers, in order. */
  outcomes: ('ack' | 'requeue' | 'reject')[];
  /** Unacknowledged messages. */
  queue: QueuedMessage[];
  /** Adds a message to a queue. */
  offer(queue: string, body: string, properties?: AMQPProperties): void;
  /** Cancels all consumers, as if their queue were deleted. */
  cancelConsumers(): void;
  /** Reported instead of the next message's size. */
  claimedSize: number | undefined;
}

interface QueuedMessage {
  queue: string;
  body: Buffer;
  properties: AMQPProperties;
  redelivered: boolean;
  /** Consumer and delivery tag of a message in flight. */
  delivery?: { consumer: Consumer; tag: number };
}

interface Consumer {
  queue: string;
  prefetch: number;
  deliver(message: QueuedMessage): number;
  cancel(): void;
}

type Seen = Omit<RabbitMqServer, keyof LoopbackServer> & { consumers: Set<Consumer>; dispatch(): void };

/**
 * Maximum size of a single-frame message in bytes: RabbitMQ's default frame size, without the
 * envelope.
 */
const maxBodyBytes = 131_064;

type Method = `${number}.${number}`;

/**
 * An AMQP 0-9-1 broker that accepts `ann` with a password. It contains only declared queues,
 * refuses messages to the queue `full`, and does not reply to messages to `silent`.
 */
export async function rabbitMqServer(password: string): Promise<RabbitMqServer> {
  const seen: Seen = {
    messages: [],
    declared: [],
    connections: 0,
    bindings: [],
    outcomes: [],
    queue: [],
    claimedSize: undefined,
    consumers: new Set(),
    offer(queue, body, properties = {}) {
      seen.queue.push({ queue, body: Buffer.from(body), properties, redelivered: false });
      seen.dispatch();
    },
    cancelConsumers() {
      for (const consumer of seen.consumers) consumer.cancel();
    },
    dispatch() {
      for (const message of seen.queue) {
        if (message.delivery) continue;
        const inFlight = (consumer: Consumer) => seen.queue.filter(({ delivery }) => delivery?.consumer === consumer).length;
        const consumer = [...seen.consumers].find((it) => it.queue === message.queue && inFlight(it) < it.prefetch);
        if (!consumer) continue;
        message.delivery = { consumer, tag: 0 };
        message.delivery.tag = consumer.deliver(message);
      }
    },
  };
  const loopback = await listening(
    createServer((socket) => {
      seen.connections += 1;
      serve(socket, password, seen);
    }),
  );
  return Object.assign(seen, loopback);
}

function serve(socket: Socket, password: string, seen: Seen): void {
  const confirms = new Map<number, number>();
  let message: (RabbitMqMessage & { size: number }) | undefined;
  const say = (channel: number, method: Method, ...fields: Buffer[]) => socket.write(methodFrame(channel, method, ...fields));

  let prefetch = 0;
  let lastTag = 0;
  const own = new Set<Consumer>();
  socket.once('close', () => {
    for (const consumer of own) {
      seen.consumers.delete(consumer);
      for (const message of seen.queue) if (message.delivery?.consumer === consumer) giveBack(message);
    }
    seen.dispatch();
  });

  const consume = (channel: number, queue: string) => {
    const consumer: Consumer = {
      queue,
      prefetch,
      deliver({ body, properties, redelivered }) {
        lastTag += 1;
        const flags = Buffer.of(redelivered ? 1 : 0);
        say(channel, '60.60', text('tag'), long(0), long(lastTag), flags, text(''), text(queue));
        socket.write(headerOf(channel, seen.claimedSize ?? body.length, properties));
        for (let at = 0; at < body.length; at += maxBodyBytes) {
          const part = body.subarray(at, at + maxBodyBytes);
          socket.write(Buffer.concat([Buffer.of(3), short(channel), long(part.length), part, Buffer.of(0xce)]));
        }
        return lastTag;
      },
      cancel: () => say(channel, '60.30', text('tag'), Buffer.of(1)),
    };
    own.add(consumer);
    seen.consumers.add(consumer);
  };

  const settle = (tag: number, outcome: 'ack' | 'requeue' | 'reject') => {
    seen.outcomes.push(outcome);
    const message = seen.queue.find(({ delivery }) => delivery?.tag === tag && own.has(delivery.consumer));
    if (message && outcome === 'requeue') giveBack(message);
    else if (message) seen.queue.splice(seen.queue.indexOf(message), 1);
    seen.dispatch();
  };

  const methods: Record<Method, (view: AMQPView, channel: number) => unknown> = {
    '10.11'(view) {
      const [, tableBytes] = view.getTable(4);
      const [, mechanismBytes] = view.getShortString(4 + tableBytes);
      const [login] = view.getLongString(4 + tableBytes + mechanismBytes);
      if (login === `\0ann\0${password}`) say(0, '10.30', short(2047), long(131_072), short(60));
      else say(0, '10.50', short(403), text('ACCESS_REFUSED - Login was refused'), short(0), short(0));
    },
    '10.31': () => {},
    '10.40': () => say(0, '10.41', text('')),
    '10.50': () => say(0, '10.51'),
    '10.51': () => socket.end(),
    '20.10'(_, channel) {
      confirms.set(channel, 0);
      say(channel, '20.11', long(0));
    },
    '20.41': () => {},
    '85.10': (_, channel) => say(channel, '85.11'),
    '50.10'(view, channel) {
      const [name, bytes] = view.getShortString(6);
      const passive = (view.getUint8(6 + bytes) & 1) === 1;
      const isDeclared = seen.declared.some((entry) => entry.name === name);
      if (passive && !isDeclared)
        return say(channel, '20.40', short(404), text(`NOT_FOUND - no queue '${name}'`), short(50), short(10));
      seen.declared.push({ name, arguments: view.getTable(7 + bytes)[0] });
      return say(channel, '50.11', text(name), long(0), long(0));
    },
    '50.20'(view, channel) {
      const [queue, queueBytes] = view.getShortString(6);
      const [exchange, exchangeBytes] = view.getShortString(6 + queueBytes);
      const [routingKey] = view.getShortString(6 + queueBytes + exchangeBytes);
      seen.bindings.push({ queue, exchange, routingKey });
      say(channel, '50.21');
    },
    '60.10'(view, channel) {
      prefetch = view.getUint16(8);
      say(channel, '60.11');
    },
    '60.20'(view, channel) {
      say(channel, '60.21', text('tag'));
      consume(channel, view.getShortString(6)[0]);
      setImmediate(seen.dispatch);
    },
    '60.80': (view) => settle(view.getUint64(4), 'ack'),
    '60.120': (view) => settle(view.getUint64(4), (view.getUint8(12) & 2) === 2 ? 'requeue' : 'reject'),
    '40.10'(view, channel) {
      const [name, nameBytes] = view.getShortString(6);
      const [type, typeBytes] = view.getShortString(6 + nameBytes);
      seen.declared.push({ name: `${name} (${type})`, arguments: view.getTable(7 + nameBytes + typeBytes)[0] });
      say(channel, '40.11');
    },
    '60.40'(view) {
      const [exchange, bytes] = view.getShortString(6);
      message = { exchange, routingKey: view.getShortString(6 + bytes)[0], text: '', size: 0 };
    },
  };

  const confirm = (channel: number) => {
    if (!message || message.text.length < message.size) return;
    const { size: _, ...received } = message;
    const tag = (confirms.get(channel) ?? 0) + 1;
    confirms.set(channel, tag);
    seen.messages.push(received);
    if (received.routingKey === 'silent') return;
    say(channel, received.routingKey === 'full' ? '60.120' : '60.80', long(0), long(tag), Buffer.of(0));
  };

  const takeHeader = (view: AMQPView) => {
    const [{ headers, deliveryMode }] = view.getProperties(12);
    if (message) Object.assign(message, { size: view.getUint64(4) }, headers && { headers }, deliveryMode && { deliveryMode });
  };

  readFrames(socket, () => say(0, '10.10', Buffer.of(0, 9), long(0), longText('PLAIN'), longText('en_US')), {
    1: (view, channel) => methods[`${view.getUint16(0)}.${view.getUint16(2)}`]?.(view, channel),
    2(view, channel) {
      takeHeader(view);
      confirm(channel);
    },
    3(view, channel) {
      if (message) message.text += Buffer.from(view.buffer, view.byteOffset, view.byteLength);
      confirm(channel);
    },
  });
}

type OnFrame = (view: AMQPView, channel: number) => unknown;

/** Calls the handler of each frame type, after the client's greeting. */
function readFrames(socket: Socket, onGreeting: () => void, onFrame: Record<number, OnFrame>): void {
  let rest = Buffer.alloc(0);
  let greeted = false;
  socket.on('data', (chunk: Buffer) => {
    rest = Buffer.concat([rest, chunk]);
    if (!greeted && rest.length >= 8) {
      greeted = true;
      rest = rest.subarray(8);
      onGreeting();
    }
    while (rest.length >= 7 && rest.length >= rest.readUInt32BE(3) + 8) {
      const [type, channel, size] = [rest[0] ?? 0, rest.readUInt16BE(1), rest.readUInt32BE(3)];
      const view = new AMQPView(rest.buffer, rest.byteOffset + 7, size);
      rest = rest.subarray(size + 8);
      onFrame[type]?.(view, channel);
    }
  });
}

function giveBack(message: QueuedMessage): void {
  delete message.delivery;
  message.redelivered = true;
}

function headerOf(channel: number, bodySize: number, properties: AMQPProperties): Buffer {
  const view = new AMQPView(new ArrayBuffer(4_096));
  const bytes = view.setProperties(0, properties);
  const encoded = Buffer.from(view.buffer, 0, bytes);
  const size = Buffer.alloc(8);
  size.writeBigUInt64BE(BigInt(bodySize));
  const payload = Buffer.concat([short(60), short(0), size, encoded]);
  return Buffer.concat([Buffer.of(2), short(channel), long(payload.length), payload, Buffer.of(0xce)]);
}

function methodFrame(channel: number, method: Method, ...fields: Buffer[]): Buffer {
  const payload = Buffer.concat([...method.split('.').map((id) => short(Number(id))), ...fields]);
  return Buffer.concat([Buffer.of(1), short(channel), long(payload.length), payload, Buffer.of(0xce)]);
}

function short(value: number): Buffer {
  return Buffer.of(value >> 8, value & 0xff);
}

function long(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}

function text(value: string): Buffer {
  return Buffer.concat([Buffer.of(Buffer.byteLength(value)), Buffer.from(value)]);
}

function longText(value: string): Buffer {
  return Buffer.concat([long(Buffer.byteLength(value)), Buffer.from(value)]);
}
