import { afterAll, afterEach, beforeEach, expect, test } from '@jest/globals';
import { AppError, type JsonObject } from '@sluice/node-sdk';
import { realPorts } from '../../testing/credential-ports.ts';
import { type FakeRun, runForJson, runNode } from '../../testing/fake-context.ts';
import { type MqttServer, mqttServer } from '../../testing/mqtt-server.ts';
import { example } from './example.ts';
import { mqtt } from './mqtt.ts';

const ports = realPorts();
const password = 'correct horse';
let server: MqttServer;

beforeEach(async () => {
  server = await mqttServer(password);
});
afterEach(() => server.close());
afterAll(() => ports.close());

function run(parameters: JsonObject, { credential = {}, ...more }: FakeRun & { credential?: JsonObject } = {}) {
  const login = { host: '127.0.0.1', port: server.port, username: 'ann', password, ...credential };
  return runNode(mqtt, { connect: ports.connect, credentials: { mqtt: login }, parameters, ...more });
}

test('the example works', async () => {
  const parameters = { ...example.parameters, topic: 'sensors/hall' };
  const json = example.inputs?.[0] ?? [];
  const credentials = { mqtt: { host: '127.0.0.1', port: server.port, username: 'ann', password } };
  expect(await runForJson(mqtt, { connect: ports.connect, credentials, parameters, json })).toEqual(example.outputs?.[0]);
  expect(server.messages).toEqual([{ topic: 'sensors/hall', text: JSON.stringify(json[0]), qos: 1, retain: true }]);
});

test.each([0, 1, 2])('with QoS %i, each item is sent over one connection and passed on', async (qos) => {
  const [items] = await run({ topic: 't', options: { qos } }, { json: [{ n: 1 }, { n: 2 }] });
  expect(items).toEqual([
    { json: { n: 1 }, pairedItem: { item: 0 } },
    { json: { n: 2 }, pairedItem: { item: 1 } },
  ]);
  expect(server.messages).toEqual(['{"n":1}', '{"n":2}'].map((text) => ({ topic: 't', text, qos, retain: false })));
  expect(server.clients).toHaveLength(1);
});

test('with the options, text is sent instead of the item, under the credential’s client ID', async () => {
  await run({ topic: 't', sendInputData: false, message: 'hello' }, { credential: { clientId: 'me', clean: false } });
  expect(server.messages).toMatchObject([{ text: 'hello' }]);
  expect(server.clients).toEqual(['me']);
});

test('a topic with wildcards fails only its item if the node continues', async () => {
  const parameters = (index: number) => ({ topic: index === 0 ? 'all/#' : 't' });
  const [items] = await run({}, { parameters, json: [{}, { n: 1 }], continueOnFail: true });
  expect(items).toMatchObject([{ json: { error: expect.stringContaining('wildcards') } }, { json: { n: 1 } }]);
  await expect(run({ topic: 'a/+' })).rejects.toMatchObject({ itemIndex: 0 });
});

test('a broker that ends the connection because of a message fails the item', async () => {
  await expect(run({ topic: 'forbidden', options: { qos: 1 } })).rejects.toMatchObject({
    code: 'CONNECTION_FAILED',
    message: 'the server closed the connection',
    itemIndex: 0,
  });
});

test('reports wrong credentials without the password', async () => {
  await expect(run({ topic: 't' }, { credential: { password: 'wrong one' } })).rejects.toMatchObject({
    message: expect.stringMatching(/^MQTT: Connection refused: (?!.*wrong one)/),
    description: expect.stringContaining('Check host'),
  });
});

test('WebSockets are refused', async () => {
  await expect(run({ topic: 't' }, { credential: { protocol: 'ws' } })).rejects.toMatchObject({ code: 'NOT_SUPPORTED' });
});

test('a forbidden address has its own error', async () => {
  const connect = () => Promise.reject(new AppError({ code: 'CONNECTION_BLOCKED', message: 'not allowed' }));
  await expect(run({ topic: 't' }, { connect })).rejects.toMatchObject({ code: 'CONNECTION_BLOCKED' });
});

test('a canceled run ends with its reason', async () => {
  const controller = new AbortController();
  const reason = new Error('canceled');
  const parameters = (index: number) => {
    if (index === 1) setImmediate(() => controller.abort(reason));
    return { topic: 't', options: { qos: 2 } };
  };
  const json = Array.from({ length: 50 }, () => ({}));
  await expect(run({}, { parameters, json, signal: controller.signal, continueOnFail: true })).rejects.toBe(reason);
});
