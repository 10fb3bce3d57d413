import { once } from 'node:events';
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { ExecuteContext, JsonObject } from '@sluice/node-sdk';
import { testRedisPrefix, testRedisUrl, watchForLeaks } from '@sluice/test-support';
import { Redis } from 'ioredis';
import { example } from '../src/nodes/redis/example.ts';
import { redis } from '../src/nodes/redis/redis.ts';
import { type FakeRun, runForJson } from '../src/testing/fake-context.ts';

const leaks = watchForLeaks();
const prefix = testRedisPrefix();
let admin: Redis;

beforeAll(() => {
  admin = new Redis(testRedisUrl());
});
afterAll(async () => {
  const keys = await admin.keys(`${prefix}*`);
  if (keys.length > 0) await admin.del(keys);
  await admin.quit();
  await leaks();
});

const toServer: ExecuteContext['connect'] = async () => {
  const { path, host = '', port = 0 } = admin.options;
  const socket = connect(path ? { path } : { host, port });
  await once(socket, 'connect');
  return socket;
};

const run = (operation: string, parameters: JsonObject, more: FakeRun = {}) => {
  const { password = '', username = '', db = 0 } = admin.options;
  const credentials = { redis: { host: 'redis.example', password: password ?? '', user: username ?? '', database: db } };
  return runForJson(redis, {
    connect: toServer,
    credentials,
    json: [{ in: 1 }],
    parameters: { operation, ...parameters },
    ...more,
  });
};
const key = (name: string) => `${prefix}:${name}`;

test('the example works', async () => {
  const rows = await run('incr', { ...example.parameters, key: key('visits') }, { json: example.inputs?.[0] ?? [] });
  expect(rows).toEqual([{ [key('visits')]: 1 }, { [key('visits')]: 2 }]);
});

describe('set and get', () => {
  const roundTrip = async (value: JsonObject[string], set: JsonObject = {}, get: JsonObject = {}) => {
    expect(await run('set', { key: key('value'), value, ...set })).toEqual([{ in: 1 }]);
    const [json] = await run('get', { key: key('value'), propertyName: 'value', ...get });
    await admin.del(key('value'));
    return json?.['value'];
  };

  test('automatically by the value', async () => {
    expect(await roundTrip('text')).toBe('text');
    expect(await roundTrip(['a', 2])).toEqual(['a', '2']);
    expect(await roundTrip({ a: 1, b: 'x' })).toEqual({ a: '1', b: 'x' });
  });

  test('by the selected type', async () => {
    expect(await roundTrip('{"a":1}', { keyType: 'hash' }, { keyType: 'hash' })).toEqual({ a: '1' });
    expect(await roundTrip('a 1 b 2', { keyType: 'hash', valueIsJSON: false })).toEqual({ a: '1', b: '2' });
    expect(await roundTrip('[1, 2]', { keyType: 'list' })).toEqual(['1', '2']);
    expect(await roundTrip(['a', 'a'], { keyType: 'sets' })).toEqual(['a']);
    expect(await roundTrip({ a: 1 }, { keyType: 'string' })).toBe('{"a":1}');
  });

  test('lists, sets, and hashes may have more values than a call’s maximum number of arguments', async () => {
    const many = Array.from({ length: 150_000 }, (_, index) => String(index));
    for (const keyType of ['list', 'sets']) {
      await run('set', { key: key(`many ${keyType}`), value: many, keyType });
      expect(await run('get', { key: key(`many ${keyType}`) })).toMatchObject([{ propertyName: { length: 150_000 } }]);
    }
    const fields = Object.fromEntries(many.slice(0, 80_000).map((name) => [name, name]));
    await run('set', { key: key('many hash'), value: fields, keyType: 'hash' });
    expect(await run('get', { key: key('many hash') })).toEqual([{ propertyName: fields }]);
  });

  test('a list replaces the old value', async () => {
    await admin.rpush(key('list'), 'old');
    await run('set', { key: key('list'), value: ['new'] });
    expect(await admin.lrange(key('list'), 0, -1)).toEqual(['new']);
  });

  test('a value expires with the option', async () => {
    await run('set', { key: key('ends'), value: 'x', expire: true, ttl: 100 });
    expect(await admin.ttl(key('ends'))).toBeGreaterThan(90);
    await expect(run('set', { key: key('ends'), value: 'x', expire: true, ttl: 0 })).rejects.toThrow('"ttl"');
  });

  test('a dot in the name refers to nested fields unless it is part of the name', async () => {
    await admin.set(key('dot'), 'x');
    expect(await run('get', { key: key('dot'), propertyName: 'a.b' })).toEqual([{ a: { b: 'x' } }]);
    const options = { dotNotation: false };
    expect(await run('get', { key: key('dot'), propertyName: 'a.b', options })).toEqual([{ 'a.b': 'x' }]);
  });

  test('a missing key is null; the error for an unreadable key contains its type', async () => {
    expect(await run('get', { key: key('nothing') })).toEqual([{ propertyName: null }]);
    await admin.zadd(key('sorted'), 1, 'x');
    await expect(run('get', { key: key('sorted') })).rejects.toMatchObject({
      message: expect.stringContaining('zset'),
      itemIndex: 0,
    });
  });
});

describe('lists, keys, channels', () => {
  test('push, count and pop at either end', async () => {
    const list = key('queue');
    await run('push', { list, messageData: 'first' });
    await run('push', { list, messageData: '{"n":2}', tail: true });
    expect(await run('llen', { list })).toEqual([{ [list]: 2 }]);
    expect(await run('pop', { list, tail: true, propertyName: 'taken' })).toEqual([{ taken: { n: 2 } }]);
    expect(await run('pop', { list, propertyName: 'taken' })).toEqual([{ taken: 'first' }]);
    expect(await run('pop', { list, propertyName: 'taken' })).toEqual([{ taken: null }]);
  });

  test('keys with or without their values', async () => {
    await admin.mset(key('many:a'), '1', key('many:b'), '2');
    expect(await run('keys', { keyPattern: key('many:*') })).toEqual([{ [key('many:a')]: '1', [key('many:b')]: '2' }]);
    expect(await run('keys', { keyPattern: key('many:*'), getValues: false })).toEqual([
      { keys: [key('many:a'), key('many:b')] },
    ]);
  });

  test('delete removes the key and passes the item on', async () => {
    await admin.set(key('gone'), 'x');
    expect(await run('delete', { key: key('gone') })).toEqual([{ in: 1 }]);
    expect(await admin.exists(key('gone'))).toBe(0);
  });

  test('publish reaches subscribers', async () => {
    const listener = admin.duplicate();
    await listener.subscribe(key('channel'));
    const heard = once(listener, 'message');
    await run('publish', { channel: key('channel'), messageData: 'hello' });
    expect(await heard).toEqual([key('channel'), 'hello']);
    await listener.quit();
  });

  test('info returns an object', async () => {
    const [info] = await run('info', {});
    expect(info).toMatchObject({ redis_version: expect.any(String), connected_clients: expect.any(Number) });
  });
});

describe('failures', () => {
  test('a failed item does not affect others if the node continues', async () => {
    await admin.set(key('text'), 'x');
    const parameters = (index: number) => ({ operation: 'incr', key: key(index === 0 ? 'text' : 'number') });
    const failed = { error: expect.stringContaining('not an integer') };
    expect(await run('incr', {}, { parameters, json: [{}, {}], continueOnFail: true })).toEqual([
      failed,
      { [key('number')]: 1 },
    ]);
  });

  test('reports wrong credentials', async () => {
    const credentials = { redis: { password: 'wrong one', user: 'nobody' } };
    await expect(run('info', {}, { credentials })).rejects.toMatchObject({
      message: expect.stringMatching(/WRONGPASS/),
      description: expect.stringContaining('Redis credential'),
    });
  });

  test('a fired signal ends the node with its reason', async () => {
    const reason = new Error('canceled');
    const signal = AbortSignal.abort(reason);
    await expect(run('info', {}, { signal, continueOnFail: true })).rejects.toBe(reason);
  });

  test('a value that is too large is an error', async () => {
    await admin.set(key('large'), Buffer.alloc(70 * 1024 * 1024, 'x'));
    await expect(run('get', { key: key('large'), keyType: 'string' })).rejects.toMatchObject({
      code: 'RESULT_TOO_LARGE',
      itemIndex: 0,
    });
  });
});
