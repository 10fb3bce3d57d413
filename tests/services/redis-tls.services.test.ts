import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, expect, test } from '@jest/globals';
import { selfSigned } from '@sluice/http-client/testing';
import { createLogger } from '@sluice/logger';
import { closeRedis, createRedis } from '@sluice/queue';
import { eventually } from '@sluice/test-support';
import { serverOrSkip, startRedisServer } from '@sluice/test-support/servers';
import type { Redis } from 'ioredis';

const server = await serverOrSkip('Redis with TLS', () => startRedisServer({ requirepass: 'secret' }, selfSigned));
const withServer = server ? test : test.skip;
const folder = await mkdtemp(join(tmpdir(), 'sluice-redis-tls-'));
const [cert, key] = [join(folder, 'cert.pem'), join(folder, 'key.pem')];
await Promise.all([writeFile(cert, selfSigned.cert), writeFile(key, selfSigned.key)]);
const logger = createLogger({ name: 'test', level: 'silent' });

afterAll(async () => {
  await server?.close();
  await rm(folder, { recursive: true });
});

const connect = (host: string, parameters: string) =>
  createRedis(`rediss://:secret@${host}:${server?.port}?${parameters}`, 'producer', logger);
const client = `cert=${cert}&key=${key}`;

withServer.each([
  ['127.0.0.1', `cacert=${cert}&${client}`],
  ['localhost', `cacert=${cert}&${client}`],
  ['127.0.0.2', `cacert=${cert}&${client}&sni=localhost`],
  ['127.0.0.2', `insecure=true&${client}`],
])('%s accepts a client with %s', async (host, parameters) => {
  const redis = connect(host, parameters);
  await eventually(async () => expect(await redis.ping()).toBe('PONG')).finally(() => closeRedis(redis));
});

withServer.each([
  ['a certificate of an unknown CA', '127.0.0.1', client],
  ['a certificate for another name', '127.0.0.2', `cacert=${cert}&${client}`],
  ['no client certificate', '127.0.0.1', `cacert=${cert}`],
])('a connection with %s is rejected', async (_reason, host, parameters) => {
  const redis = connect(host, parameters);
  const errors: Error[] = [];
  redis.on('error', (error: Error) => errors.push(error));
  await eventually(() => errors.length > 1);
  await delay(100);
  await expect(redis.ping()).rejects.toThrow();
  await closeRedis(redis);
});

withServer('an alert of the server after its certificate was rejected does not end the process', async () => {
  const redis = connect('127.0.0.1', client) as Redis;
  await once(redis, 'error');
  expect(() => redis.stream.emit('error', new Error('tlsv1 alert decode error'))).not.toThrow();
  await closeRedis(redis);
});
