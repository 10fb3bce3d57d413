import { afterAll, afterEach, beforeEach, expect, test } from '@jest/globals';
import { AppError, type JsonObject } from '@sluice/node-sdk';
import type { FakeListener } from '@sluice/node-sdk/testing';
import { eventually } from '@sluice/test-support';
import { type KafkaServer, kafkaServer } from '../../testing/kafka-server.ts';
import { type BenchOptions, jsonOf, listenerBench, refuseWith } from '../../testing/listener-bench.ts';
import { example } from './example.ts';
import { kafkaTrigger } from './kafka-trigger.ts';

const bench = listenerBench(kafkaTrigger);
const password = 'correct horse';
let server: KafkaServer;

beforeEach(async () => {
  server = await kafkaServer(password);
});
afterEach(async () => {
  await bench.closeListeners();
  await server.close();
});
afterAll(() => bench.close());

function start(
  options: JsonObject = {},
  { credential = {}, parameters = {}, ...more }: BenchOptions = {},
): Promise<FakeListener> {
  const brokers = `127.0.0.1:${server.port}`;
  const login = { brokers, ssl: false, authentication: true, username: 'ann', password, ...credential };
  return bench.start({
    credentials: { kafka: login },
    parameters: { topic: 't', groupId: 'g', options, ...parameters },
    ...more,
  });
}

test('the example works', async () => {
  const listener = await start({}, { parameters: example.parameters });
  server.offer('orders', '{"order":7}');
  await eventually(() => expect(jsonOf(listener)).toEqual(example.outputs));
  await eventually(() => expect(server.committed.get('sluice orders')).toBe(1));
});

test('each message starts one execution, in order, and the group’s offset advances', async () => {
  for (let n = 0; n < 150; n++) server.offer('t', `${n}`);
  const listener = await start({ onlyMessage: true });
  await eventually(() => expect(jsonOf(listener)).toEqual(Array.from({ length: 150 }, (_, n) => [{ message: `${n}` }])));
  await eventually(() => expect(server.committed.get('g t')).toBe(150));
});

test('a new group may start with new messages', async () => {
  server.offer('t', 'old');
  const listener = await start({ fromBeginning: false });
  server.offer('t', 'new');
  await eventually(() => expect(jsonOf(listener)).toEqual([[{ message: 'new', topic: 't' }]]));
});

test('a message that started no execution is read again by the next listener', async () => {
  server.offer('t', 'x');
  const before = await start({}, { beforeCommit: refuseWith('TRIGGER_CLOSED') });
  await eventually(() => expect(before.failures[0]).toMatchObject({ code: 'TRIGGER_CLOSED' }));
  await before.close();
  expect(server.committed.size).toBe(0);
  const after = await start();
  await eventually(() => expect(jsonOf(after)).toEqual([[{ message: 'x', topic: 't' }]]));
  expect(after.events[0]?.key).toBe('0/0/1 t');
});

test('an oversized message does not delay the others', async () => {
  server.offer('t', 'x');
  const listener = await start({}, { beforeCommit: refuseWith('TRIGGER_DATA_TOO_LARGE') });
  await eventually(() => expect(server.committed.get('g t')).toBe(1));
  expect(listener.failures).toEqual([]);
});

test('in sequential mode, the next execution starts when the previous execution has ended', async () => {
  for (const value of ['1', '2']) server.offer('t', value);
  const { promise, resolve } = Promise.withResolvers<'error' | 'success'>();
  const listener = await start({ parallelProcessing: false }, { ended: () => promise });
  await eventually(() => expect(listener.events).toHaveLength(1));
  resolve('success');
  await eventually(() => expect(listener.events).toHaveLength(2));
});

test('headers and message bytes are included with the options', async () => {
  server.offer('t', 'x', { source: 'shop' });
  const listener = await start({ returnHeaders: true, keepBinaryData: true });
  await eventually(() => expect(jsonOf(listener)).toEqual([[{ message: 'x', topic: 't', headers: { source: 'shop' } }]]));
  expect(String(listener.files.get(listener.events[0]?.items[0]?.binary?.['data']?.id ?? ''))).toBe('x');
});

test('a lost cluster is reported; a closed listener reports nothing and ends its connection', async () => {
  const closed = await start();
  await closed.close();
  const listener = await start();
  await server.close();
  await eventually(() => expect(listener.failures.length).toBeGreaterThan(0));
  expect(closed.failures).toEqual([]);
});

test('invalid settings prevent the start, and the error does not contain the password', async () => {
  await expect(start({}, { parameters: { useSchemaRegistry: true } })).rejects.toMatchObject({ code: 'NOT_SUPPORTED' });
  await expect(start({}, { parameters: { topic: 'a b' } })).rejects.toThrow('"topic"');
  await expect(start({ fetchMaxBytes: 1e9 })).rejects.toThrow('"options.fetchMaxBytes"');
  await expect(start({}, { credential: { password: 'wrong one' } })).rejects.toMatchObject({
    message: expect.stringMatching(/^Kafka: (?!.*wrong one).*authentication failed/),
  });
  const connect = () => Promise.reject(new AppError({ code: 'CONNECTION_BLOCKED', message: 'not allowed' }));
  await expect(start({}, { connect })).rejects.toMatchObject({ code: 'CONNECTION_BLOCKED' });
});

test('a response with more parts than can be read at once ends the listener', async () => {
  const headers = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, i) => [`h${i}`, '']));
  server.offer('t', 'few', headers(1_000));
  const listener = await start({ onlyMessage: true });
  await eventually(() => expect(jsonOf(listener)).toEqual([[{ message: 'few' }]]));
  server.offer('t', 'many', headers(60_000));
  await eventually(() => expect(listener.failures[0]).toMatchObject({ message: expect.stringContaining('too many parts') }));
});
