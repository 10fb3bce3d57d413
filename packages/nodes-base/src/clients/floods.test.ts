import type { Writable } from 'node:stream';
import { setTimeout as delay, setImmediate } from 'node:timers/promises';
import { afterAll, expect, test } from '@jest/globals';
import type { JsonObject } from '@sluice/node-sdk';
import { eventually, longestBusy } from '@sluice/test-support';
import { amqpServer } from '../testing/amqp-server.ts';
import { realPorts } from '../testing/credential-ports.ts';
import { type FloodingServer, floodingRelay, scriptedServer } from '../testing/flooding-servers.ts';
import { imapServer } from '../testing/imap-server.ts';
import { kafkaServer } from '../testing/kafka-server.ts';
import { mongoServer } from '../testing/mongo-server.ts';
import { mqttServer } from '../testing/mqtt-server.ts';
import { mySqlServer } from '../testing/my-sql-server.ts';
import { rabbitMqServer } from '../testing/rabbitmq-server.ts';
import { sshServer } from '../testing/ssh-server.ts';
import { openAmqp } from './amqp-client.ts';
import { openImap } from './imap-client.ts';
import { openKafka } from './kafka-client.ts';
import { openMongo } from './mongo-client.ts';
import { openMqtt } from './mqtt-client.ts';
import { openMySql } from './my-sql-client.ts';
import { openPostgres } from './postgres-client.ts';
import { openRabbitMq } from './rabbitmq-client.ts';
import { openRedis } from './redis-client.ts';
import { openSsh } from './ssh-client.ts';

/** Maximum CPU time, in milliseconds, that may block the event loop. */
const maxStallMs = 250;
/** Number of frames that a server sends at once, repeatedly. */
const frames = 100_000;
/** Duration of a flood in milliseconds; a client that blocks the event loop makes it longer. */
const floodMs = 300;

const ports = realPorts();
afterAll(() => ports.close());

const password = 'correct horse';
const login = (port: number) => ({ host: '127.0.0.1', hostname: '127.0.0.1', port, username: 'ann', user: 'ann', password });
const text = (...parts: (string | number[] | Buffer)[]) =>
  Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part, 'latin1') : Buffer.from(part))));

const int32 = (value: number) => {
  const bytes = Buffer.alloc(4);
  bytes.writeInt32LE(value);
  return bytes;
};

/** AuthenticationOk, BackendKeyData, and ReadyForQuery. */
const postgresLogin = text('R', [0, 0, 0, 8, 0, 0, 0, 0], 'K', [0, 0, 0, 12, 0, 0, 0, 1, 0, 0, 0, 2], 'Z', [0, 0, 0, 5], 'I');
const postgresFrames = {
  notices: text('N', [0, 0, 0, 12], 'M', 'hello\0\0'),
  settings: text('S', [0, 0, 0, 8], 'a\0b\0'),
  notifications: text('A', [0, 0, 0, 12, 0, 0, 0, 1], 'a\0b\0'),
};

interface Flood {
  server: () => Promise<FloodingServer>;
  open: (data: JsonObject, signal: AbortSignal) => Promise<unknown>;
  frames: Readonly<Record<string, Buffer>>;
}

/** Clients, each with a server that accepts its login, and small frames of its protocol. */
const floods: Readonly<Record<string, Flood>> = {
  Redis: {
    server: () => scriptedServer((packet) => Buffer.from('+OK\r\n'.repeat(packet.toString().split('*').length - 1))),
    open: ({ host, port }, signal) => openRedis({ host, port } as JsonObject, ports, signal),
    frames: {
      'replies without a command': Buffer.from('+OK\r\n'),
      messages: Buffer.from('*3\r\n$7\r\nmessage\r\n$1\r\nc\r\n$1\r\na\r\n'),
    },
  },
  Postgres: {
    server: () => scriptedServer(() => postgresLogin),
    open: (data, signal) => openPostgres(data, ports, signal),
    frames: postgresFrames,
  },
  'Postgres with TLS': {
    server: () => scriptedServer(() => postgresLogin, Buffer.from('S')),
    open: (data, signal) => openPostgres({ ...data, ssl: 'require', allowUnauthorizedCerts: true }, ports, signal),
    frames: postgresFrames,
  },
  MySQL: {
    server: async () => floodingRelay(await mySqlServer(() => 'silence')),
    open: async (data, signal) => {
      const client = await openMySql(data, ports, signal);
      client.query('select 1').catch(() => {});
    },
    frames: {
      'OK packets': text([7, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0]),
      'packets without content': text([0, 0, 0, 9]),
    },
  },
  MongoDB: {
    server: async () => floodingRelay(await mongoServer(() => undefined)),
    open: async ({ port }, signal) => {
      const url = `mongodb://127.0.0.1:${port}/db?directConnection=true&heartbeatFrequencyMS=500`;
      const { client, close } = await openMongo({ connectionString: url }, ports, signal);
      signal.addEventListener('abort', () => void close());
      client
        .db()
        .command({ find: 'c' }, { signal })
        .catch(() => {});
    },
    frames: { replies: text([26, 0, 0, 0], Array(8).fill(0), [0xdd, 7, 0, 0], Array(5).fill(0), [5, 0, 0, 0, 0]) },
  },
  Kafka: {
    server: async () => {
      const server = await kafkaServer(password);
      const relay = await floodingRelay(server);
      server.advertised = { host: '127.0.0.1', port: relay.port };
      return relay;
    },
    open: async ({ port }, signal) => {
      const client = await openKafka({ brokers: `127.0.0.1:${port}`, ssl: false }, ports, signal);
      signal.addEventListener('abort', () => void client.close());
    },
    frames: { 'responses to no request': text([0, 0, 0, 4, 0x7f, 0, 0, 0]) },
  },
  RabbitMQ: {
    server: async () => floodingRelay(await rabbitMqServer(password)),
    open: (data, signal) => openRabbitMq(data, ports, signal),
    frames: { heartbeats: text([8, 0, 0, 0, 0, 0, 0, 0xce]) },
  },
  AMQP: {
    server: async () => floodingRelay(await amqpServer(password)),
    open: (data, signal) => openAmqp(data, ports, signal),
    frames: { heartbeats: text([0, 0, 0, 8, 2, 0, 0, 0]) },
  },
  MQTT: {
    server: async () => floodingRelay(await mqttServer(password)),
    open: (data, signal) => openMqtt(data, ports, signal, async () => {}),
    frames: {
      'acknowledgments of subscriptions': text([0x90, 3, 0, 1, 0]),
      'answers to pings': text([0xd0, 0]),
      messages: text([0x30, 4, 0, 1], 'ab'),
      'messages to acknowledge': text([0x32, 5, 0, 1], 'a', [0, 7]),
    },
  },
  IMAP: {
    server: async () => floodingRelay(await imapServer(password)),
    open: async (data, signal) => {
      const { client, close } = await openImap({ ...data, secure: false }, ports, signal);
      signal.addEventListener('abort', () => void close());
      await client.mailboxOpen('INBOX');
    },
    frames: {
      'untagged lines': Buffer.from('* OK hello\r\n'),
      'counts of mails': Buffer.from('* 1 EXISTS\r\n'),
    },
  },
};

async function flooded(
  { server: start, open }: Flood,
  frame: Buffer,
  count = frames,
): Promise<{ busy: number; takenBytes: number }> {
  const server = await start();
  const ending = new AbortController();
  try {
    await open(login(server.port), ending.signal);
    const bytes = Buffer.alloc(count * frame.length, frame);
    const busy = await longestBusy(() => {
      server.flood(bytes);
      return delay(floodMs);
    });
    return { busy, takenBytes: server.takenBytes() };
  } finally {
    ending.abort(new Error('the test ended'));
    await server.close();
  }
}

const cases = Object.entries(floods).flatMap(([name, flood]) =>
  Object.entries(flood.frames).map(([kind, frame]) => [name, kind, flood, frame] as const),
);

test.each(cases)('%s: a flood of %s does not block the event loop', async (_name, _kind, flood, frame) => {
  const { busy, takenBytes } = await flooded(flood, frame);
  expect(takenBytes).toBeGreaterThan(0);
  expect(busy).toBeLessThan(maxStallMs);
});

/**
 * A Postgres message with millions of fields, and an MQTT acknowledgment for millions of topics.
 */
const messages: readonly [string, Flood, Buffer][] = [
  ['Postgres', floods['Postgres'] as Flood, text('N', [1, 0, 0, 4], Buffer.alloc(0x1_00_00_00, 'Ma\0'))],
  ['Postgres with TLS', floods['Postgres with TLS'] as Flood, text('N', [1, 0, 0, 4], Buffer.alloc(0x1_00_00_00, 'Ma\0'))],
  ['MQTT', floods['MQTT'] as Flood, text([0x90, 0x80, 0x80, 0x80, 8], Buffer.alloc(8 * 128 ** 3, 1))],
];

test.each(messages)('%s: a huge message does not block the event loop', async (_name, flood, message) => {
  const { busy, takenBytes } = await flooded(flood, message, 1);
  // The client ends the connection before the server has sent it all.
  expect(takenBytes).toBe(0);
  expect(busy).toBeLessThan(maxStallMs);
});

/** BSON with `count` fields that have neither a value nor a name. */
const manyFields = (count: number) => {
  const body = text(int32(2 * count + 5), Buffer.alloc(2 * count, text([0x0a, 0])), [0]);
  return text(int32(body.length + 21), Array(8).fill(0), [0xdd, 7, 0, 0], Array(5).fill(0), body);
};

/**
 * Messages of the maximum length that their protocol allows, which a library parses all at once.
 */
const wholeMessages: readonly [string, string, Flood, Buffer][] = [
  [
    'Redis',
    'a reply of nested arrays of millions of elements',
    floods['Redis'] as Flood,
    Buffer.from('*30000000\r\n'.repeat(20)),
  ],
  ['MongoDB', 'a reply with millions of fields', floods['MongoDB'] as Flood, manyFields(4_000_000)],
  ['IMAP', 'a response with many literals', floods['IMAP'] as Flood, Buffer.from(`* LIST ${'{0}\r\n '.repeat(60_000)}\r\n`)],
  [
    'IMAP',
    'a response with long lines between literals',
    floods['IMAP'] as Flood,
    Buffer.from(`* LIST (${`${'a '.repeat(100_000)}{0}\r\n `.repeat(20)})\r\n`),
  ],
  [
    'MySQL',
    'a status with millions of entries',
    floods['MySQL'] as Flood,
    text([0xfe, 0xff, 0xff, 1, 0, 0, 0], Buffer.alloc(0xff_ff_fb, 1)),
  ],
  ['MySQL', 'a result with millions of columns', floods['MySQL'] as Flood, text([4, 0, 0, 1, 0xfd, 0xff, 0xff, 0xff])],
];

test.each(wholeMessages)(
  '%s: %s ends the connection and does not block the event loop',
  async (_name, _kind, flood, message) => {
    const server = await flood.server();
    const ending = new AbortController();
    try {
      await flood.open(login(server.port), ending.signal);
      const endedBefore = server.ended();
      const busy = await longestBusy(async () => {
        server.flood(message, 1);
        await eventually(() => server.ended() > endedBefore);
      });
      expect(busy).toBeLessThan(maxStallMs);
    } finally {
      ending.abort(new Error('the test ended'));
      await server.close();
    }
  },
);

test('SSH: a flood of one-byte output packets does not block the event loop', async () => {
  const server = await sshServer(password, { run: (channel) => void sendBytes(channel) });
  const client = await openSsh(login(server.port), ports, AbortSignal.timeout(30_000));
  let packets = 0;
  const busy = await longestBusy(async () => {
    client.exec('flood', (_, channel) => channel.on('data', () => packets++));
    await eventually(() => packets > 1_000);
  });
  client.destroy();
  await server.close();
  expect(busy).toBeLessThan(maxStallMs);
});

/** In small groups: the server shares the client's event loop, and only the client is measured. */
async function sendBytes(channel: Writable): Promise<void> {
  for (let sent = 0; sent < frames && !channel.destroyed; sent++) {
    channel.write('a');
    if (sent % 100 === 0) await setImmediate();
  }
}
