import { types } from 'node:util';
import { describe, expect, test } from '@jest/globals';
import type { LoopbackServer } from '@sluice/http-client/testing';
import { within } from '@sluice/node-sdk';
import { longestBusy } from '@sluice/test-support';
import { realPorts } from '../testing/credential-ports.ts';
import { hostileBytes, hostileServer, hostileTimings, serving } from '../testing/hostile-servers.ts';
import { openAmqp } from './amqp-client.ts';
import { openFtp } from './ftp-client.ts';
import { openImap } from './imap-client.ts';
import { openKafka } from './kafka-client.ts';
import { openMongo } from './mongo-client.ts';
import { openMqtt } from './mqtt-client.ts';
import { openMySql } from './my-sql-client.ts';
import { openPostgres } from './postgres-client.ts';
import { openRabbitMq } from './rabbitmq-client.ts';
import { openRedis } from './redis-client.ts';
import { createSmtpTransport } from './smtp-client.ts';
import { openSsh } from './ssh-client.ts';

/** Maximum CPU time, in milliseconds, that may block the event loop, with all attacks at once. */
const maxStallMs = 250;
/** Duration of an attack in milliseconds. */
const attackMs = 2_500;
/** Maximum time that a client may take to end after its signal, in milliseconds. */
const endMs = 10_000;

const ports = realPorts();

interface Target {
  host: string;
  port: number;
}

/** Every client that nodes, triggers, and credential tests connect with. */
const clients: Readonly<Record<string, (target: Target, signal: AbortSignal) => Promise<unknown>>> = {
  Redis: (data, signal) => openRedis({ ...data }, ports, signal).then((client) => client.disconnect()),
  Postgres: (data, signal) => openPostgres({ ...data, password: 'p' }, ports, signal).then((client) => client.end()),
  MySQL: (data, signal) => openMySql({ ...data }, ports, signal).then((client) => client.destroy()),
  MongoDB: ({ host, port }, signal) =>
    openMongo({ connectionString: `mongodb://${host}:${port}/db?directConnection=true` }, ports, signal).then(({ close }) =>
      close(),
    ),
  Kafka: ({ host, port }, signal) =>
    openKafka({ brokers: `${host}:${port}`, ssl: false }, ports, signal).then((client) => client.close()),
  RabbitMQ: ({ host, port }, signal) => openRabbitMq({ hostname: host, port }, ports, signal).then((client) => client.close()),
  AMQP: ({ host, port }, signal) => openAmqp({ hostname: host, port }, ports, signal).then((client) => client.close()),
  MQTT: (data, signal) => openMqtt({ ...data }, ports, signal).then((client) => client.close()),
  IMAP: (data, signal) =>
    openImap({ ...data, user: 'u', password: 'p', secure: false }, ports, signal).then(({ close }) => close()),
  SMTP: async (data, signal) =>
    (await createSmtpTransport({ ...data, secure: false, user: 'u', password: 'p' }, ports, signal)).verify(),
  FTP: (data, signal) => openFtp({ ...data }, ports, signal).then((client) => client.close()),
  SSH: (data, signal) => openSsh({ ...data, username: 'u', password: 'p' }, ports, signal).then((client) => client.destroy()),
};

const servers: readonly [string, () => Promise<LoopbackServer>][] = [
  ...Object.entries(hostileBytes).map(([name, source], seed) => [name, () => hostileServer(source(seed + 1))] as const),
  ...Object.entries(hostileTimings).map(([name, handle]) => [name, () => serving(handle)] as const),
].map(([name, start]) => [name, start]);

/** How a connection attempt ends. An uncaught error fails the test by itself. */
async function ending(open: (typeof clients)[string], start: () => Promise<LoopbackServer>): Promise<string> {
  const server = await start();
  const attack = AbortSignal.timeout(attackMs);
  const opening = open({ host: '127.0.0.1', port: server.port }, attack).then(
    () => 'ended',
    (error: unknown) => (types.isNativeError(error) && error.message !== '' ? 'ended' : `no message: ${String(error)}`),
  );
  const result = await within(attackMs + endMs, opening);
  await server.close();
  return result ?? 'the client does not end';
}

describe.each(Object.entries(clients))('%s', (_, open) => {
  test('ends with an error, regardless of what the server sends, and does not block the event loop', async () => {
    // Loads the library, which blocks the event loop once, regardless of the server.
    await open({ host: '127.0.0.1', port: 1 }, AbortSignal.timeout(500)).catch(() => undefined);
    const endings: [string, string][] = [];
    const busy = await longestBusy(() =>
      Promise.all(servers.map(async ([name, start]) => void endings.push([name, await ending(open, start)]))),
    );
    expect(endings.filter(([, result]) => result !== 'ended')).toEqual([]);
    expect(busy).toBeLessThan(maxStallMs);
  }, 30_000);
});
