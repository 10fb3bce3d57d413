import { afterAll, afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { AppError, type JsonObject } from '@sluice/node-sdk';
import { realPorts } from '../../testing/credential-ports.ts';
import { type FakeRun, runForJson } from '../../testing/fake-context.ts';
import { type KafkaServer, kafkaServer } from '../../testing/kafka-server.ts';
import { example } from './example.ts';
import { kafka } from './kafka.ts';

const ports = realPorts();
const password = 'correct horse';
let server: KafkaServer;

beforeEach(async () => {
  server = await kafkaServer(password);
});
afterEach(() => server.close());
afterAll(() => ports.close());

function run(parameters: JsonObject, { credential = {}, ...more }: FakeRun & { credential?: JsonObject } = {}) {
  const brokers = `127.0.0.1:${server.port}`;
  const login = { brokers, ssl: false, authentication: true, username: 'ann', password, ...credential };
  return runForJson(kafka, { connect: ports.connect, credentials: { kafka: login }, parameters, ...more });
}

const blocked = () => new AppError({ code: 'CONNECTION_BLOCKED', message: 'not allowed' });

test('the example works', async () => {
  const parameters = { ...example.parameters, key: 'ann' };
  expect(await run(parameters, { json: example.inputs?.[0] ?? [] })).toEqual(example.outputs?.[0]);
  expect(server.messages).toEqual([
    { topic: 'orders', key: 'ann', value: '{"customer":"ann","order":7}', headers: {}, acks: 1, gzip: false },
  ]);
});

test('no timer has a negative delay, which Node warns about', async () => {
  const timers = jest.spyOn(globalThis, 'setTimeout');
  await run({ topic: 't' }, { json: [{ n: 1 }] });
  const delays = timers.mock.calls.map(([, delay = 0]) => delay);
  timers.mockRestore();
  expect(delays.filter((delay) => delay >= 0).length).toBeGreaterThan(0);
  expect(delays.filter((delay) => delay < 0)).toEqual([]);
});

test('each item is sent with its headers; with the options, compressed and to all replicas', async () => {
  const headers = { headerValues: [{ key: 'source', value: 'shop' }] };
  const options = { acks: true, compression: true };
  const sent = await run({ topic: 't', headersUi: headers, options }, { json: [{ n: 1 }, { n: 2 }] });
  expect(sent).toMatchObject([{ topicName: 't', partition: 0 }, { topicName: 't' }]);
  const more = { topic: 't', key: null, headers: { source: 'shop' }, acks: -1, gzip: true };
  expect(server.messages).toEqual([
    { ...more, value: '{"n":1}' },
    { ...more, value: '{"n":2}' },
  ]);
});

test('headers may be JSON, and the message may be text', async () => {
  const headerParametersJson = '{ "n": 1, "a": ["x"] }';
  await run({ topic: 't', jsonParameters: true, headerParametersJson, sendInputData: false, message: 'hello' });
  expect(server.messages).toMatchObject([{ value: 'hello', headers: { n: '1', a: '["x"]' } }]);
});

test('a refused message fails only its item if the node continues', async () => {
  const topics = ['full', 'missing', 't'];
  const parameters = (index: number) => ({ topic: topics[index] ?? '' });
  expect(await run({}, { parameters, json: [{}, {}, {}], continueOnFail: true })).toMatchObject([
    { error: expect.stringContaining('larger than the max message size') },
    { error: expect.stringContaining('does not host this topic') },
    { topicName: 't' },
  ]);
  await expect(run({ topic: 'full' })).rejects.toMatchObject({ itemIndex: 0 });
});

test('a schema registry and a timeout beyond the client’s maximum are refused', async () => {
  await expect(run({ topic: 't', useSchemaRegistry: true })).rejects.toMatchObject({ code: 'NOT_SUPPORTED' });
  await expect(run({ topic: 't', options: { timeout: 60_000 } })).rejects.toMatchObject({ itemIndex: 0 });
});

test('reports wrong credentials without the password', async () => {
  await expect(run({ topic: 't' }, { credential: { password: 'wrong one' } })).rejects.toMatchObject({
    message: expect.stringMatching(/^Kafka: (?!.*wrong one).*authentication failed/),
    description: expect.stringContaining('Check host'),
  });
});

test('unreachable brokers are reported', async () => {
  await expect(run({ topic: 't' }, { credential: { brokers: '127.0.0.1:1, 127.0.0.1:1' } })).rejects.toMatchObject({
    code: 'CONNECTION_FAILED',
    message: 'no connection: the connection was refused',
  });
});

test('a forbidden broker has its own error, even if only the cluster advertises it', async () => {
  const refuse = () => Promise.reject(blocked());
  await expect(run({ topic: 't' }, { connect: refuse })).rejects.toMatchObject({ code: 'CONNECTION_BLOCKED' });
  server.advertised = { host: '10.0.0.1', port: 9092 };
  const hosts: string[] = [];
  const connect: FakeRun['connect'] = (host, ...more) => {
    hosts.push(host);
    return host === '10.0.0.1' ? refuse() : ports.connect(host, ...more);
  };
  await expect(run({ topic: 't' }, { connect })).rejects.toMatchObject({ code: 'CONNECTION_BLOCKED' });
  expect(hosts).toContain('10.0.0.1');
});

test('a canceled run ends with its reason while the broker is silent', async () => {
  const controller = new AbortController();
  const reason = new Error('canceled');
  const running = run({ topic: 'silent' }, { signal: controller.signal, continueOnFail: true });
  setTimeout(() => controller.abort(reason), 100);
  await expect(running).rejects.toBe(reason);
});
