import { afterAll, afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { JsonObject } from '@sluice/node-sdk';
import type { FakeListener } from '@sluice/node-sdk/testing';
import { eventually } from '@sluice/test-support';
import { type BenchOptions, jsonOf, listenerBench, refuseWith } from '../../testing/listener-bench.ts';
import { type RabbitMqServer, rabbitMqServer } from '../../testing/rabbitmq-server.ts';
import { example } from './example.ts';
import { rabbitmqTrigger } from './rabbitmq-trigger.ts';

const bench = listenerBench(rabbitmqTrigger);
const password = 'correct horse';
let server: RabbitMqServer;

beforeEach(async () => {
  server = await rabbitMqServer(password);
});
afterEach(async () => {
  await bench.closeListeners();
  await server.close();
});
afterAll(() => bench.close());

function start(
  { options = {}, ...parameters }: { queue?: string; options?: JsonObject },
  { credential = {}, ...more }: BenchOptions = {},
): Promise<FakeListener> {
  const login = { hostname: '127.0.0.1', port: server.port, username: 'ann', password, ...credential };
  return bench.start({
    credentials: { rabbitmq: login },
    parameters: { queue: 'q', options: { assertQueue: true, ...options }, ...parameters },
    ...more,
  });
}

test('the example works', async () => {
  const listener = await start(example.parameters);
  server.offer('orders', '{"order":7}');
  await eventually(() => expect(jsonOf(listener)).toEqual(example.outputs));
  await eventually(() => expect(server.outcomes).toEqual(['ack']));
});

test('more messages than may be in flight start one execution each, in order', async () => {
  const listener = await start({ options: { parallelMessages: 3, onlyContent: true } });
  for (let n = 0; n < 20; n++) server.offer('q', `${n}`);
  const expected = Array.from({ length: 20 }, (_, n) => [{ content: `${n}` }]);
  await eventually(() => expect(jsonOf(listener)).toEqual(expected));
  await eventually(() => expect(server.queue).toEqual([]));
});

test('a short message after a long message starts its execution later', async () => {
  const listener = await start({ options: { onlyContent: true, jsonParseBody: true } });
  const long = Array.from({ length: 100_000 }, (_, n) => n);
  server.offer('q', JSON.stringify(long));
  server.offer('q', '1');
  await eventually(() => expect(jsonOf(listener)).toEqual([[{ content: long }], [{ content: 1 }]]));
});

test('a message includes the broker’s metadata', async () => {
  const listener = await start({});
  server.offer('q', 'x', { headers: { source: 'shop' }, contentType: 'text/plain' });
  await eventually(() =>
    expect(jsonOf(listener)).toEqual([
      [
        {
          content: 'x',
          fields: { consumerTag: 'tag', deliveryTag: 1, redelivered: false, exchange: '', routingKey: 'q' },
          properties: expect.objectContaining({ headers: { source: 'shop' }, contentType: 'text/plain' }),
        },
      ],
    ]),
  );
});

test('a body may become a file', async () => {
  const listener = await start({ options: { contentIsBinary: true, onlyContent: true } });
  server.offer('q', 'bytes', { contentType: 'image/png' });
  await eventually(() => expect(listener.events).toHaveLength(1));
  const [item] = listener.events[0]?.items ?? [];
  expect(item).toMatchObject({ json: {}, binary: { data: { mimeType: 'image/png' } } });
  expect(String(listener.files.get(item?.binary?.['data']?.id ?? ''))).toBe('bytes');
});

test('the queue gets its arguments and bindings', async () => {
  const binding = { bindings: [{ exchange: 'events', routingKey: 'orders.#' }] };
  const args = { argument: [{ key: 'x-message-ttl', value: 1_000 }] };
  await start({ options: { binding, arguments: args } });
  expect(server.declared).toEqual([{ name: 'q', arguments: { 'x-message-ttl': 1_000 } }]);
  expect(server.bindings).toEqual([{ queue: 'q', exchange: 'events', routingKey: 'orders.#' }]);
});

describe('a message', () => {
  test('that started no execution is delivered again', async () => {
    const before = await start({}, { beforeCommit: refuseWith('TRIGGER_CLOSED') });
    server.offer('q', 'x');
    await eventually(() => expect(before.failures).toMatchObject([{ code: 'TRIGGER_CLOSED' }]));
    await before.close();
    const after = await start({});
    await eventually(() => expect(jsonOf(after)[0]).toMatchObject([{ content: 'x', fields: { redelivered: true } }]));
    await eventually(() => expect(server.outcomes).toEqual(['ack']));
  });

  test('that is too large is rejected and does not delay the others', async () => {
    const listener = await start({}, { beforeCommit: refuseWith('TRIGGER_DATA_TOO_LARGE') });
    server.offer('q', 'x');
    await eventually(() => expect(server.outcomes).toEqual(['reject']));
    expect(listener.failures).toEqual([]);
  });

  test('with an ID that is delivered twice starts one execution', async () => {
    const listener = await start({ options: { onlyContent: true } });
    for (const body of ['x', 'x', 'y']) server.offer('q', body, { messageId: '1' });
    await eventually(() => expect(server.outcomes).toHaveLength(3));
    expect(jsonOf(listener)).toEqual([[{ content: 'x' }], [{ content: 'y' }]]);
  });

  test('is acknowledged when its execution has ended, with the option', async () => {
    const { promise, resolve } = Promise.withResolvers<'error' | 'success'>();
    const listener = await start({ options: { acknowledge: 'executionFinishes' } }, { ended: () => promise });
    server.offer('q', 'x');
    await eventually(() => expect(listener.events).toHaveLength(1));
    expect(server.outcomes).toEqual([]);
    resolve('error');
    await eventually(() => expect(server.outcomes).toEqual(['ack']));
  });

  test('whose execution fails twice is rejected if success is required', async () => {
    const options = { acknowledge: 'executionFinishesSuccessfully' };
    const listener = await start({ options }, { ended: async () => 'error' });
    server.offer('q', 'x', { messageId: '1' });
    await eventually(() => expect(server.outcomes).toEqual(['requeue', 'reject']));
    expect(listener.events).toHaveLength(2);
  });

  test('that declares more than the maximum size ends the connection before it is read', async () => {
    const listener = await start({});
    server.claimedSize = 2 ** 40;
    server.offer('q', 'x');
    await eventually(() => expect(listener.failures).toMatchObject([{ code: 'RESULT_TOO_LARGE' }]));
  });
});

test('a missing or deleted queue and a lost broker are reported', async () => {
  await expect(start({ options: { assertQueue: false } })).rejects.toThrow("no queue 'q'");
  const listener = await start({});
  server.cancelConsumers();
  await eventually(() => expect(listener.failures).toMatchObject([{ message: expect.stringContaining('Consumer cancelled') }]));
  const other = await start({});
  await server.close();
  await eventually(() => expect(other.failures).toMatchObject([{ code: 'CONNECTION_FAILED' }]));
});

test('a closed listener reports nothing and ends its connection', async () => {
  const listener = await start({});
  await listener.close();
  expect(listener.failures).toEqual([]);
});

test('invalid settings prevent the start, and the error does not contain the password', async () => {
  await expect(start({ options: { acknowledge: 'laterMessageNode' } })).rejects.toMatchObject({ code: 'NOT_SUPPORTED' });
  await expect(start({ options: { parallelMessages: 0 } })).rejects.toThrow('from 1 to 65535');
  await expect(start({}, { credential: { password: 'wrong one' } })).rejects.toMatchObject({
    message: expect.stringMatching(/^(?!.*wrong one).*ACCESS_REFUSED/),
  });
});
