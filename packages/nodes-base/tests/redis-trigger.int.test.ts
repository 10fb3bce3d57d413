import { once } from 'node:events';
import { connect } from 'node:net';
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { AppError, type JsonObject } from '@sluice/node-sdk';
import { type FakeListener, type ListenOptions, listen } from '@sluice/node-sdk/testing';
import { eventually, testRedisPrefix, testRedisUrl, watchForLeaks } from '@sluice/test-support';
import { Redis } from 'ioredis';
import { example } from '../src/nodes/redis-trigger/example.ts';
import { redisTrigger } from '../src/nodes/redis-trigger/redis-trigger.ts';

const leaks = watchForLeaks();
const prefix = testRedisPrefix();
const listeners: FakeListener[] = [];
let admin: Redis;

beforeAll(() => {
  admin = new Redis(testRedisUrl());
});
afterEach(async () => {
  for (const listener of listeners.splice(0)) await listener.close();
});
afterAll(async () => {
  await admin.quit();
  await leaks();
});

const toServer: NonNullable<ListenOptions['connect']> = async () => {
  const { path, host = '', port = 0 } = admin.options;
  const socket = connect(path ? { path } : { host, port });
  await once(socket, 'connect');
  return socket;
};

async function start(parameters: JsonObject, more: ListenOptions = {}): Promise<FakeListener> {
  const { password = '', username = '', db = 0 } = admin.options;
  const credentials = { redis: { host: 'redis.example', password: password ?? '', user: username ?? '', database: db } };
  const listener = await listen(redisTrigger, { connect: toServer, credentials, parameters, ...more });
  listeners.push(listener);
  return listener;
}

const jsonOf = ({ events }: FakeListener) => events.map(({ items }) => items.map(({ json }) => json));

test('the example works', async () => {
  const listener = await start({ ...example.parameters, channels: `${prefix}orders.*` });
  await admin.publish(`${prefix}orders.new`, '{"order":7}');
  await eventually(() => expect(jsonOf(listener)).toEqual([[{ channel: `${prefix}orders.new`, message: { order: 7 } }]]));
});

test('each message of several channels starts one execution, in order', async () => {
  const listener = await start({ channels: `${prefix}a, ${prefix}b`, options: { onlyMessage: true } });
  for (let n = 0; n < 50; n++) await admin.publish(`${prefix}${n % 2 ? 'a' : 'b'}`, `${n}`);
  const expected = Array.from({ length: 50 }, (_, n) => [{ message: `${n}` }]);
  await eventually(() => expect(jsonOf(listener)).toEqual(expected));
});

test('text that is not JSON remains text', async () => {
  const listener = await start({ channels: `${prefix}c`, options: { jsonParseBody: true } });
  await admin.publish(`${prefix}c`, '{broken');
  await eventually(() => expect(jsonOf(listener)).toEqual([[{ channel: `${prefix}c`, message: '{broken' }]]));
});

test('a message that arrives while the project has too many waiting executions starts one later', async () => {
  let refusals = 2;
  const beforeCommit = () => {
    if (refusals-- > 0) throw new AppError({ code: 'QUEUE_FULL', message: 'full' });
  };
  const listener = await start({ channels: `${prefix}d` }, { beforeCommit });
  await admin.publish(`${prefix}d`, 'x');
  await eventually(() => expect(listener.events).toHaveLength(1));
});

test('a lost connection is reported once; a closed listener does not report it', async () => {
  const listener = await start({ channels: `${prefix}e` });
  const [id = ''] =
    /id=(\d+)[^\n]*sub=0 psub=1/.exec(String(await admin.call('CLIENT', 'LIST', 'TYPE', 'pubsub')))?.slice(1) ?? [];
  await admin.call('CLIENT', 'KILL', 'ID', id);
  await eventually(() => expect(listener.failures).toMatchObject([{ code: 'CONNECTION_FAILED' }]));
  const other = await start({ channels: `${prefix}f` });
  await other.close();
  expect(other.failures).toEqual([]);
  expect(await admin.publish(`${prefix}f`, 'x')).toBe(0);
});

test('a missing channel or a refusing server prevents the start; the error omits the password', async () => {
  await expect(start({ channels: ' , ' })).rejects.toThrow('must name between one and');
  const credentials = { redis: { host: 'redis.example', password: 'wrong one', user: 'nobody' } };
  await expect(start({ channels: 'x' }, { credentials })).rejects.toMatchObject({
    message: expect.not.stringContaining('wrong one'),
  });
});
