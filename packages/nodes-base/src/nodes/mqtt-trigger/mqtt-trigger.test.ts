import { afterAll, afterEach, beforeEach, expect, test } from '@jest/globals';
import { AppError, type JsonObject } from '@sluice/node-sdk';
import type { FakeListener } from '@sluice/node-sdk/testing';
import { eventually } from '@sluice/test-support';
import { type BenchOptions, jsonOf, listenerBench } from '../../testing/listener-bench.ts';
import { type MqttServer, mqttServer } from '../../testing/mqtt-server.ts';
import { example } from './example.ts';
import { mqttTopics } from './mqtt-topics.ts';
import { mqttTrigger } from './mqtt-trigger.ts';

const bench = listenerBench(mqttTrigger);
const password = 'correct horse';
let server: MqttServer;

beforeEach(async () => {
  server = await mqttServer(password);
});
afterEach(async () => {
  await bench.closeListeners();
  await server.close();
});
afterAll(() => bench.close());

function start(parameters: JsonObject, { credential = {}, ...more }: BenchOptions = {}): Promise<FakeListener> {
  const login = { host: '127.0.0.1', port: server.port, username: 'ann', password, ...credential };
  return bench.start({ credentials: { mqtt: login }, parameters, ...more });
}

test('the example works', async () => {
  const listener = await start(example.parameters);
  await server.publish('sensors/hall', '{"celsius":21}', 1);
  await eventually(() => expect(jsonOf(listener)).toEqual(example.outputs));
});

test.each([0, 1, 2] as const)('with QoS %i, each message starts one execution, in order', async (qos) => {
  const listener = await start({ topics: `a/#:${qos}`, options: { onlyMessage: true } });
  for (let n = 0; n < 20; n++) await server.publish('a/b', `${n}`, qos);
  const expected = Array.from({ length: 20 }, (_, n) => [{ message: `${n}` }]);
  await eventually(() => expect(jsonOf(listener)).toEqual(expected));
});

test.each([1, 2] as const)('a message with QoS %i that started no execution is delivered again', async (qos) => {
  const session = { clientId: 'me', clean: false };
  const broken = () => {
    throw new AppError({ code: 'TRIGGER_CLOSED', message: 'no longer ours' });
  };
  const before = await start({ topics: `a:${qos}` }, { credential: session, beforeCommit: broken });
  await server.publish('a', 'kept', qos);
  await eventually(() => expect(before.failures).toHaveLength(1));
  await before.close();
  expect(server.acknowledged).toEqual([]);
  const after = await start({ topics: `a:${qos}` }, { credential: session });
  await eventually(() => expect(jsonOf(after)).toEqual([[{ message: 'kept', topic: 'a' }]]));
});

test('messages published without a listener wait for the session', async () => {
  const session = { clientId: 'me', clean: false };
  const before = await start({ topics: 'a:1' }, { credential: session });
  await before.close();
  await server.publish('a', 'x', 1);
  const after = await start({ topics: 'a:1' }, { credential: session });
  await eventually(() => expect(jsonOf(after)).toEqual([[{ message: 'x', topic: 'a' }]]));
});

test('in sequential mode, the next execution starts when the previous execution has ended', async () => {
  const { promise, resolve } = Promise.withResolvers<'error' | 'success'>();
  const listener = await start({ topics: 'a', options: { parallelProcessing: false } }, { ended: () => promise });
  await server.publish('a', '1');
  await server.publish('a', '2');
  await eventually(() => expect(listener.events).toHaveLength(1));
  resolve('error');
  await eventually(() => expect(listener.events).toHaveLength(2));
});

test('an oversized message does not delay the others', async () => {
  const beforeCommit = ({ items }: { items: readonly { json: JsonObject }[] }) => {
    if (items[0]?.json['message'] === 'large') throw new AppError({ code: 'TRIGGER_DATA_TOO_LARGE', message: 'too large' });
  };
  const listener = await start({ topics: 'a:1' }, { beforeCommit });
  await server.publish('a', 'large', 1);
  await server.publish('a', 'small', 1);
  await eventually(() => expect(jsonOf(listener)).toEqual([[{ message: 'small', topic: 'a' }]]));
  expect(listener.failures).toEqual([]);
});

test('a lost broker is reported once; a closed listener reports nothing and ends its connection', async () => {
  const listener = await start({ topics: 'a' });
  const closed = await start({ topics: 'b' });
  await closed.close();
  await server.close();
  await eventually(() => expect(listener.failures).toMatchObject([{ code: 'CONNECTION_FAILED' }]));
  expect(closed.failures).toEqual([]);
});

test('a refusal by the broker prevents the start, and the error does not contain the password', async () => {
  await expect(start({ topics: 'forbidden' })).rejects.toThrow('forbidden');
  await expect(start({ topics: 'a' }, { credential: { password: 'wrong one' } })).rejects.toMatchObject({
    message: expect.stringMatching(/^MQTT: Connection refused: (?!.*wrong one)/),
  });
});

test.each(['a+', 'a/#/b', '+b/c', '', 'a\0', 'x:3', 'y'.repeat(65_536)])('the topic %j is refused', (topic) => {
  expect(() => mqttTopics([topic])).toThrow(/is not valid|must be 0, 1 or 2/);
});

test('topics may contain colons', () => {
  expect([...mqttTopics(['a:b', 'c:d:2'])]).toEqual([
    ['a:b', 0],
    ['c:d', 2],
  ]);
});
