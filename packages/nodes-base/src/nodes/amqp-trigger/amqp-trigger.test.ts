import { afterAll, afterEach, beforeEach, expect, test } from '@jest/globals';
import { AppError, type ErrorCode, type JsonObject } from '@sluice/node-sdk';
import type { FakeListener } from '@sluice/node-sdk/testing';
import { eventually } from '@sluice/test-support';
import rhea from 'rhea';
import { type AmqpServer, amqpServer } from '../../testing/amqp-server.ts';
import { type BenchOptions, jsonOf, listenerBench } from '../../testing/listener-bench.ts';
import { amqpTrigger } from './amqp-trigger.ts';
import { example } from './example.ts';

const bench = listenerBench(amqpTrigger);
const password = 'correct hörse';
let server: AmqpServer;

beforeEach(async () => {
  server = await amqpServer(password);
});
afterEach(async () => {
  await bench.closeListeners();
  await server.close();
});
afterAll(() => bench.close());

function start(parameters: JsonObject, { credential = {}, ...more }: BenchOptions = {}): Promise<FakeListener> {
  const login = { hostname: '127.0.0.1', port: server.port, username: 'ann', password, ...credential };
  return bench.start({ credentials: { amqp: login }, parameters, ...more });
}

test('the example works', async () => {
  const listener = await start(example.parameters);
  server.offer('orders', { body: '{"order":7}' });
  await eventually(() => expect(jsonOf(listener)).toEqual(example.outputs));
  await eventually(() => expect(server.outcomes).toEqual(['accepted']));
});

test('a message includes its properties; bytes become text with the option', async () => {
  const bytes = rhea.message.data_section(Buffer.from('ä'));
  const listener = await start({ sink: 'q', options: { jsonConvertByteArrayToUtf8: true } });
  server.offer('q', { body: bytes, subject: 's', application_properties: { a: 1 } });
  await eventually(() =>
    expect(jsonOf(listener)).toEqual([
      [expect.objectContaining({ body: 'ä', subject: 's', application_properties: { a: 1 } })],
    ]),
  );
  const other = await start({ sink: 'r', options: { onlyBody: true } });
  server.offer('r', { body: bytes });
  await eventually(() => expect(jsonOf(other)).toEqual([[{ body: 'w6Q=' }]]));
});

test('more messages than may be in flight start one execution each, in order', async () => {
  const listener = await start({ sink: 'q', options: { pullMessagesNumber: 3, onlyBody: true } });
  for (let n = 0; n < 20; n++) server.offer('q', { body: { n } });
  await eventually(() => expect(jsonOf(listener)).toEqual(Array.from({ length: 20 }, (_, n) => [{ n }])));
  await eventually(() => expect(server.outcomes).toEqual(Array.from({ length: 20 }, () => 'accepted')));
});

test('a message that started no execution is delivered again, and an oversized message is rejected', async () => {
  let code: ErrorCode = 'TRIGGER_CLOSED';
  const beforeCommit = () => {
    throw new AppError({ code, message: 'no' });
  };
  const listener = await start({ sink: 'q' }, { beforeCommit });
  server.offer('q', { body: 'x' });
  await eventually(() => expect(listener.failures).toMatchObject([{ code }]));
  await listener.close();
  code = 'TRIGGER_DATA_TOO_LARGE';
  await start({ sink: 'q' }, { beforeCommit });
  await eventually(() => expect(server.outcomes.at(-1)).toBe('rejected'));
});

test('a message with an id that is delivered twice starts one execution', async () => {
  const listener = await start({ sink: 'q' });
  for (const body of ['x', 'x', 'y']) server.offer('q', { message_id: '1', body });
  await eventually(() => expect(server.outcomes).toHaveLength(3));
  expect(jsonOf(listener).map(([json]) => json?.['body'])).toEqual(['x', 'y']);
});

test('a durable subscription has its own name and the client’s name', async () => {
  await start({ sink: 'topic', clientname: 'me', subscription: 'mine' });
  expect(server.clients).toEqual(['me']);
  expect(server.sources).toEqual([{ address: 'topic', durable: 2, name: 'mine' }]);
});

test('a missing address or a wrong password prevents the start, and the error does not contain the password', async () => {
  await expect(start({ sink: 'missing' })).rejects.toThrow('no such queue (amqp:not-found)');
  await expect(start({ sink: 'q' }, { credential: { password: 'wrong one' } })).rejects.toMatchObject({
    message: 'the server does not accept the user name and password',
  });
  await expect(start({ sink: 'q', options: { pullMessagesNumber: 0 } })).rejects.toThrow('whole number from 1 to 10000');
});

test('a lost broker is reported once; a closed listener reports nothing and ends its connection', async () => {
  const [listener, closed] = [await start({ sink: 'a' }), await start({ sink: 'b' })];
  await closed.close();
  await server.close();
  await eventually(() => expect(listener.failures).toMatchObject([{ code: 'CONNECTION_FAILED' }]));
  expect(closed.failures).toEqual([]);
});
