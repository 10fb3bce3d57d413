import { afterAll, afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { AppError, type JsonObject } from '@sluice/node-sdk';
import { realPorts } from '../../testing/credential-ports.ts';
import { type FakeRun, runForJson } from '../../testing/fake-context.ts';
import { lineServer } from '../../testing/line-server.ts';
import { type RabbitMqServer, rabbitMqServer } from '../../testing/rabbitmq-server.ts';
import { example } from './example.ts';
import { rabbitmq } from './rabbitmq.ts';

const ports = realPorts();
const password = 'correct horse';
let server: RabbitMqServer;

beforeEach(async () => {
  server = await rabbitMqServer(password);
});
afterEach(() => server.close());
afterAll(() => ports.close());

function run(parameters: JsonObject, { credential = {}, ...more }: FakeRun & { credential?: JsonObject } = {}) {
  const login = { hostname: '127.0.0.1', port: server.port, username: 'ann', password, ...credential };
  return runForJson(rabbitmq, { connect: ports.connect, credentials: { rabbitmq: login }, parameters, ...more });
}

test('the example works', async () => {
  expect(await run(example.parameters, { json: example.inputs?.[0] ?? [] })).toEqual(example.outputs?.[0]);
  expect(server.messages).toEqual([
    { exchange: '', routingKey: 'orders', text: '{"order":7}', headers: { source: 'shop' }, deliveryMode: 2 },
  ]);
});

describe.each([1, 1.1])('version %s', (typeVersion) => {
  test('sends each item to a queue that is declared once, over one connection', async () => {
    const json = [{ n: 1 }, { n: 2 }];
    const options = { durable: false, arguments: { argument: [{ key: 'x-message-ttl', value: 60_000 }] } };
    expect(await run({ queue: 'q', options }, { json, typeVersion })).toEqual([{ success: true }, { success: true }]);
    expect(server.messages).toEqual(
      json.map((item) => ({ exchange: '', routingKey: 'q', text: JSON.stringify(item), deliveryMode: 1 })),
    );
    expect(server.declared).toEqual([{ name: 'q', arguments: { 'x-message-ttl': 60_000 } }]);
    expect(server.connections).toBe(1);
  });

  test('sends text to an exchange, with a routing key', async () => {
    const parameters = {
      mode: 'exchange',
      exchange: 'e',
      exchangeType: 'topic',
      routingKey: 'a.b',
      sendInputData: false,
      message: 'x'.repeat(300_000),
      options: { alternateExchange: 'other' },
    };
    await run(parameters, { typeVersion });
    expect(server.messages).toMatchObject([{ exchange: 'e', routingKey: 'a.b', text: 'x'.repeat(300_000) }]);
    expect(server.declared).toEqual([{ name: 'e (topic)', arguments: { 'alternate-exchange': 'other' } }]);
  });

  test('refuses to delete', async () => {
    await expect(run({ operation: 'deleteMessage' }, { typeVersion })).rejects.toMatchObject({ code: 'NOT_SUPPORTED' });
  });
});

test('headers keep numbers, including large numbers', async () => {
  const header = [
    { key: 'small', value: 7 },
    { key: 'large', value: 3_000_000_000 },
    { key: 'flag', value: true },
  ];
  await run({ queue: 'q', options: { headers: { header } } });
  expect(server.messages).toMatchObject([{ headers: { small: 7, large: 3_000_000_000, flag: true } }]);
});

test('a refused message fails only its item if the node continues', async () => {
  const queues = ['missing', 'full', 'q'];
  const parameters = (index: number) => ({ queue: queues[index] ?? '', options: { assertQueue: index !== 0 } });
  expect(await run({}, { parameters, json: [{}, {}, {}], continueOnFail: true })).toEqual([
    { error: expect.stringContaining("NOT_FOUND - no queue 'missing'") },
    { error: expect.stringMatching(/nack|rejected/i) },
    { success: true },
  ]);
  await expect(run({ queue: 'missing', options: { assertQueue: false } })).rejects.toMatchObject({ itemIndex: 0 });
});

test('a name or headers that do not fit the protocol fail the item', async () => {
  await expect(run({ queue: 'x'.repeat(300) })).rejects.toMatchObject({
    message: expect.stringContaining('255 bytes'),
    itemIndex: 0,
  });
  const headers = { header: [{ key: 'k', value: 'x'.repeat(200_000) }] };
  await expect(run({ queue: 'q', options: { headers } })).rejects.toMatchObject({
    message: expect.stringContaining('too long'),
    itemIndex: 0,
  });
});

test('reports wrong credentials without the password', async () => {
  await expect(run({ queue: 'q' }, { credential: { password: 'wrong one' } })).rejects.toMatchObject({
    message: 'RabbitMQ: connection closed: ACCESS_REFUSED - Login was refused (403)',
    description: expect.stringContaining('Check host'),
  });
});

test('a server with another protocol is detected', async () => {
  const other = await lineServer('HTTP/1.1 400 Bad Request', () => '');
  await expect(run({ queue: 'q' }, { credential: { port: other.port } })).rejects.toMatchObject({
    message: 'RabbitMQ: the server does not speak AMQP 0-9-1',
  });
  await other.close();
});

test('a login by certificate is refused', async () => {
  const credential = { ssl: true, passwordless: true };
  await expect(run({ queue: 'q' }, { credential })).rejects.toMatchObject({ code: 'NOT_SUPPORTED' });
});

test('a forbidden address has its own error', async () => {
  const connect = () => Promise.reject(new AppError({ code: 'CONNECTION_BLOCKED', message: 'not allowed' }));
  await expect(run({ queue: 'q' }, { connect })).rejects.toMatchObject({ code: 'CONNECTION_BLOCKED' });
});

test('a canceled run ends with its reason while the broker is silent', async () => {
  const controller = new AbortController();
  const reason = new Error('canceled');
  const running = run({ queue: 'silent' }, { signal: controller.signal, continueOnFail: true });
  setTimeout(() => controller.abort(reason), 50);
  await expect(running).rejects.toBe(reason);
});
