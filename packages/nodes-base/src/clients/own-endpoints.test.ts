import { createServer } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createConnectGuard, guardedConnect } from '@sluice/http-client';
import { type LoopbackServer, listening } from '@sluice/http-client/testing';
import type { JsonObject } from '@sluice/node-sdk';
import { kafkaServer } from '../testing/kafka-server.ts';
import { openAmqp } from './amqp-client.ts';
import { openFtp } from './ftp-client.ts';
import { openImap } from './imap-client.ts';
import { openKafka } from './kafka-client.ts';
import { openKafkaConsumer } from './kafka-consumer.ts';
import { openMongo } from './mongo-client.ts';
import { openMqtt } from './mqtt-client.ts';
import { openMySql } from './my-sql-client.ts';
import type { ConnectPort } from './open-socket.ts';
import { openPostgres } from './postgres-client.ts';
import { openRabbitMq } from './rabbitmq-client.ts';
import { openRedis } from './redis-client.ts';
import { createSmtpTransport } from './smtp-client.ts';
import { openSsh } from './ssh-client.ts';

type Mode = 'on' | 'strict' | 'off';

const { signal } = new AbortController();
/** Acts as the service's own store. A connection to it increases `reached`. */
let store: LoopbackServer;
let reached = 0;

beforeAll(async () => {
  store = await listening(
    createServer((socket) => {
      reached += 1;
      socket.destroy();
    }),
  );
});
afterAll(() => store.close());

const everything = ['0.0.0.0/0', '::/0', 'localhost'];
const guarded = (ssrfProtection: Mode, ssrfAllow: readonly string[] = everything): ConnectPort => ({
  connect: guardedConnect(
    createConnectGuard({ ssrfProtection, ssrfAllow, ownEndpoints: [{ host: 'localhost', port: store.port }] }),
  ),
});

const bracketed = (host: string) => (host.includes(':') ? `[${host}]` : host);
const topic = {
  topic: 't',
  fromBeginning: true,
  config: { groupId: 'g' },
  atOnce: 1,
  onMessage: async () => undefined,
  onLost: () => undefined,
};

/** Every client that nodes, triggers, and credential tests connect with. */
const clients: [string, (target: { host: string; port: number }, ports: ConnectPort) => Promise<unknown>][] = [
  ['Redis', (data, ports) => openRedis(data, ports, signal)],
  ['Redis over TLS', (data, ports) => openRedis({ ...data, ssl: true, disableTlsVerification: true }, ports, signal)],
  ['Postgres', (data, ports) => openPostgres(data, ports, signal)],
  ['Postgres with TLS where allowed', (data, ports) => openPostgres({ ...data, ssl: 'allow' }, ports, signal)],
  ['MySQL', (data, ports) => openMySql(data, ports, signal)],
  [
    'MongoDB',
    ({ host, port }, ports) => openMongo({ connectionString: `mongodb://${bracketed(host)}:${port}/db` }, ports, signal),
  ],
  ['MongoDB by values', (data, ports) => openMongo({ configurationType: 'values', ...data }, ports, signal)],
  ['Kafka', ({ host, port }, ports) => openKafka({ brokers: `${bracketed(host)}:${port}`, ssl: false }, ports, signal)],
  [
    'a Kafka consumer',
    ({ host, port }, ports) => openKafkaConsumer({ brokers: `${bracketed(host)}:${port}`, ssl: false }, ports, signal, topic),
  ],
  ['RabbitMQ', ({ host, port }, ports) => openRabbitMq({ hostname: host, port }, ports, signal)],
  ['AMQP', ({ host, port }, ports) => openAmqp({ hostname: host, port }, ports, signal)],
  ['MQTT', (data, ports) => openMqtt(data, ports, signal)],
  ['IMAP', (data, ports) => openImap({ ...data, user: 'u', password: 'p', secure: false }, ports, signal)],
  ['SMTP', async (data, ports) => (await createSmtpTransport({ ...data, secure: false }, ports, signal)).verify()],
  ['FTP', (data, ports) => openFtp(data, ports, signal)],
  ['SSH', (data, ports) => openSsh({ ...data, username: 'u', password: 'p' }, ports, signal)],
];

describe.each(['on', 'strict', 'off'] as const)("the service's own store, with the protection %s", (mode) => {
  test.each(clients)('cannot be reached by %s', async (name, open) => {
    reached = 0;
    // kafkajs splits a broker at its colons, so only names and IPv4 addresses reach the connection.
    const hosts = name.includes('Kafka') ? ['127.0.0.1', 'localhost'] : ['127.0.0.1', 'localhost', '::1', '::ffff:127.0.0.1'];
    for (const host of hosts) {
      const opening = open({ host, port: store.port }, guarded(mode));
      expect([host, await opening.then(String, (error) => error.code ?? error.cause?.code)]).toEqual([
        host,
        'CONNECTION_BLOCKED',
      ]);
    }
    expect(reached).toBe(0);
  });

  test.each([
    '127.0.0.1',
    '127.9.9.9',
    '0.0.0.0',
    'localhost',
    'LOCALHOST',
    '::',
    '[::1]',
    '::ffff:7f00:1',
    '127.1',
    '2130706433',
    '0x7f.1',
  ])('cannot be reached as %s', async (host) => {
    reached = 0;
    await expect(openRedis({ host, port: store.port }, guarded(mode), signal)).rejects.toMatchObject({
      code: 'CONNECTION_BLOCKED',
    });
    expect(reached).toBe(0);
  });

  test('can be reached if SSRF_ALLOW contains the host and port', async () => {
    reached = 0;
    const opening = openRedis({ host: '127.0.0.1', port: store.port }, guarded(mode, [`127.0.0.1:${store.port}`]), signal);
    await expect(opening).rejects.not.toMatchObject({ code: 'CONNECTION_BLOCKED' });
    expect(reached).toBe(1);
  });

  test('cannot be reached through a broker that a Kafka cluster advertises', async () => {
    const cluster = await kafkaServer('pass');
    try {
      reached = 0;
      cluster.advertised = { host: 'localhost', port: store.port };
      const data: JsonObject = {
        brokers: `127.0.0.1:${cluster.port}`,
        ssl: false,
        authentication: true,
        username: 'ann',
        password: 'pass',
      };
      const sending = openKafka(data, guarded(mode), signal).then((kafka) =>
        kafka.send('t', { value: 'x' }, { allReplicas: true, gzip: false, timeoutMs: 5_000 }).finally(() => kafka.close()),
      );
      await expect(sending).rejects.toMatchObject({ code: 'CONNECTION_BLOCKED' });
      expect(reached).toBe(0);
    } finally {
      await cluster.close();
    }
  });

  test('cannot be reached as the data port of an FTP server', async () => {
    const lines = new Map([
      ['USER', '331 password'],
      ['PASS', '230 in'],
      ['EPSV', `229 Entering Extended Passive Mode (|||${store.port}|)`],
    ]);
    const server = await listening(
      createServer((socket) => {
        socket.on('error', () => undefined);
        socket.write('220 ready\r\n');
        socket.on('data', (chunk) => {
          const command = String(chunk).slice(0, 4).trim();
          socket.write(`${lines.get(command) ?? '200 fine'}\r\n`);
        });
      }),
    );
    try {
      reached = 0;
      const client = await openFtp(
        { host: '127.0.0.1', port: server.port, username: 'ann', password: 'p' },
        guarded(mode),
        signal,
      );
      await expect(client.list()).rejects.toMatchObject({ code: 'CONNECTION_BLOCKED' });
      client.close();
      expect(reached).toBe(0);
    } finally {
      await server.close();
    }
  });
});
