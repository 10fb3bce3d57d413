import { afterAll, afterEach, beforeEach, expect, test } from '@jest/globals';
import { AppError, type JsonObject } from '@sluice/node-sdk';
import { type AmqpServer, amqpServer } from '../../testing/amqp-server.ts';
import { realPorts } from '../../testing/credential-ports.ts';
import { type FakeRun, runForJson } from '../../testing/fake-context.ts';
import { amqp } from './amqp.ts';
import { example } from './example.ts';

const ports = realPorts();
const password = 'correct hörse';
let server: AmqpServer;

beforeEach(async () => {
  server = await amqpServer(password);
});
afterEach(() => server.close());
afterAll(() => ports.close());

function run(parameters: JsonObject, { credential = {}, ...more }: FakeRun & { credential?: JsonObject } = {}) {
  const login = { hostname: '127.0.0.1', port: server.port, username: 'ann', password, ...credential };
  return runForJson(amqp, { connect: ports.connect, credentials: { amqp: login }, parameters, ...more });
}

test('the example works', async () => {
  expect(await run(example.parameters, { json: example.inputs?.[0] ?? [] })).toEqual(example.outputs?.[0]);
  expect(server.messages).toEqual([{ address: 'orders', body: '7', properties: { source: 'shop' } }]);
});

test('each item is sent as JSON text, over one connection', async () => {
  const json = [{ n: 1 }, { n: 2 }];
  expect(await run({ sink: 'q', options: { containerId: 'me' } }, { json })).toEqual([{ id: 0 }, { id: 1 }]);
  expect(server.messages.map(({ body }) => body)).toEqual(['{"n":1}', '{"n":2}']);
  expect(server.clients).toEqual(['me']);
});

test('a broker may grant credit for one message at a time', async () => {
  const json = Array.from({ length: 20 }, (_, n) => ({ n }));
  await run({ sink: 'slow' }, { json });
  expect(server.messages.map(({ body }) => body)).toEqual(json.map(({ n }) => `{"n":${n}}`));
});

test('data is sent as an AMQP map with the option', async () => {
  const data = { text: 'ä', list: [1, -1, 2.5, null], flag: true, deep: { n: 5_000_000_000 } };
  const options = { dataAsObject: true, sendOnlyProperty: 'data' };
  await run({ sink: 'q', headerParametersJson: { n: 1, flag: false }, options }, { json: [{ data }] });
  expect(server.messages).toEqual([{ address: 'q', body: data, properties: { n: 1, flag: false } }]);
});

test('a refused message fails only its item if the node continues', async () => {
  const sinks = ['full', 'missing', 'missing', 'q'];
  const parameters = (index: number) => ({ sink: sinks[index] ?? '' });
  expect(await run({}, { parameters, json: [{}, {}, {}, {}], continueOnFail: true })).toEqual([
    { error: 'the queue is full (amqp:resource-limit-exceeded)' },
    { error: 'no such queue (amqp:not-found)' },
    { error: 'no such queue (amqp:not-found)' },
    { id: expect.any(Number) },
  ]);
  await expect(run({ sink: 'full' })).rejects.toMatchObject({ itemIndex: 0 });
});

test('headers must be simple values, and a field to send must exist', async () => {
  const nested = run({ sink: 'q', headerParametersJson: '{ "a": [] }' });
  await expect(nested).rejects.toMatchObject({ message: expect.stringContaining('"a"'), itemIndex: 0 });
  const missing = run({ sink: 'q', options: { sendOnlyProperty: 'none' } });
  await expect(missing).rejects.toMatchObject({ message: 'the item has no field "none"' });
});

test('reports wrong credentials without the password', async () => {
  await expect(run({ sink: 'q' }, { credential: { password: 'wrong one' } })).rejects.toMatchObject({
    message: 'the server does not accept the user name and password',
    description: expect.stringContaining('Check host'),
  });
});

test('a forbidden address has its own error', async () => {
  const connect = () => Promise.reject(new AppError({ code: 'CONNECTION_BLOCKED', message: 'not allowed' }));
  await expect(run({ sink: 'q' }, { connect })).rejects.toMatchObject({ code: 'CONNECTION_BLOCKED' });
});

test('a canceled run ends with its reason while the broker is silent', async () => {
  const controller = new AbortController();
  const reason = new Error('canceled');
  const running = run({ sink: 'silent' }, { signal: controller.signal, continueOnFail: true });
  setTimeout(() => controller.abort(reason), 50);
  await expect(running).rejects.toBe(reason);
});
