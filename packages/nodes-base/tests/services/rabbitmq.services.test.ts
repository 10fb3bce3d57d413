import { afterAll, afterEach, beforeEach, expect, test } from '@jest/globals';
import type { JsonObject } from '@sluice/node-sdk';
import { eventually } from '@sluice/test-support';
import { startRabbitMq } from '@sluice/test-support/servers';
import { rabbitmq as rabbitmqCredential } from '../../src/credentials/rabbitmq.ts';
import { rabbitmq } from '../../src/nodes/rabbitmq/rabbitmq.ts';
import { rabbitmqTrigger } from '../../src/nodes/rabbitmq-trigger/rabbitmq-trigger.ts';
import { realPorts } from '../../src/testing/credential-ports.ts';
import { type FakeRun, runForJson } from '../../src/testing/fake-context.ts';
import { type BenchOptions, jsonOf, listenerBench, refuseWith } from '../../src/testing/listener-bench.ts';
import { describeWith } from './support/describe-with.ts';

const ports = realPorts();
const bench = listenerBench(rabbitmqTrigger);
const password = 'correct horse';

afterAll(async () => {
  await bench.close();
  await ports.close();
});

await describeWith(
  'RabbitMQ',
  () => startRabbitMq(password),
  ({ host, port, kill }) => {
    const login = { hostname: host, port, username: 'ann', password };
    let queue = '';
    let count = 0;
    const send = (parameters: JsonObject, { credential = {}, ...more }: FakeRun & { credential?: JsonObject } = {}) =>
      runForJson(rabbitmq, {
        connect: ports.connect,
        credentials: { rabbitmq: { ...login, ...credential } },
        parameters: { queue, ...parameters },
        ...more,
      });
    const text = (message: string, options: JsonObject = {}) => send({ sendInputData: false, message, options });
    const listen = (options: JsonObject = {}, { credential = {}, ...more }: BenchOptions = {}) =>
      bench.start({
        credentials: { rabbitmq: { ...login, ...credential } },
        parameters: { queue, options: { assertQueue: true, onlyContent: true, ...options } },
        ...more,
      });

    beforeEach(() => {
      count += 1;
      queue = `queue ${count}`;
    });
    afterEach(() => bench.closeListeners());

    test('items reach the trigger once each and in order', async () => {
      const listener = await listen({ parallelMessages: 3, jsonParseBody: true });
      const json = Array.from({ length: 20 }, (_, n) => ({ n }));
      expect(await send({}, { json })).toEqual(json.map(() => ({ success: true })));
      await eventually(() => expect(jsonOf(listener)).toEqual(json.map((item) => [item])));
    });

    test('a message has its headers, including large numbers', async () => {
      const header = [
        { key: 'small', value: 7 },
        { key: 'large', value: 3_000_000_000 },
        { key: 'flag', value: true },
        { key: 'text', value: 'ü' },
      ];
      const listener = await listen({ onlyContent: false });
      await text('x'.repeat(300_000), { headers: { header } });
      await eventually(() =>
        expect(jsonOf(listener)).toMatchObject([
          [
            {
              content: 'x'.repeat(300_000),
              fields: { redelivered: false, exchange: '', routingKey: queue },
              properties: { headers: { small: 7, large: 3_000_000_000, flag: true, text: 'ü' }, deliveryMode: 2 },
            },
          ],
        ]),
      );
    });

    test('an exchange routes to a bound queue', async () => {
      const exchange = `exchange ${count}`;
      const parameters = { mode: 'exchange', exchange, exchangeType: 'topic', sendInputData: false };
      await send({ ...parameters, routingKey: 'none', message: 'before' });
      const listener = await listen({ binding: { bindings: [{ exchange, routingKey: 'orders.#' }] } });
      await send({ ...parameters, routingKey: 'news.1', message: 'news' });
      await send({ ...parameters, routingKey: 'orders.1', message: 'order' });
      await eventually(() => expect(jsonOf(listener)).toEqual([[{ content: 'order' }]]));
    });

    test('a message that started no execution is delivered again', async () => {
      const before = await listen({}, { beforeCommit: refuseWith('TRIGGER_CLOSED') });
      await text('x');
      await eventually(() => expect(before.failures).toMatchObject([{ code: 'TRIGGER_CLOSED' }]));
      await before.close();
      const after = await listen({ onlyContent: false });
      await eventually(() => expect(jsonOf(after)[0]).toMatchObject([{ content: 'x', fields: { redelivered: true } }]));
    });

    test('with the option, the broker keeps a message until its execution has ended', async () => {
      const options = { acknowledge: 'executionFinishes' };
      const before = await listen(options, { ended: () => new Promise<never>(() => {}) });
      await text('x');
      await eventually(() => expect(before.events).toHaveLength(1));
      await before.close();
      const after = await listen(options);
      await eventually(() => expect(jsonOf(after)).toEqual([[{ content: 'x' }]]));
      await after.close();
      const last = await listen(options);
      await text('y');
      await eventually(() => expect(jsonOf(last)).toEqual([[{ content: 'y' }]]));
    });

    test('a refused message fails only its item if the node continues', async () => {
      const limit = [
        { key: 'x-max-length', value: 1 },
        { key: 'x-overflow', value: 'reject-publish' },
      ];
      const limited = { queue: `${queue} full`, options: { arguments: { argument: limit } } };
      const cases: JsonObject[] = [{ queue: 'missing', options: { assertQueue: false } }, limited, limited, { queue }];
      const parameters = (index: number) => cases[index] ?? {};
      expect(await send({}, { parameters, json: [{}, {}, {}, {}], continueOnFail: true })).toEqual([
        { error: expect.stringContaining("NOT_FOUND - no queue 'missing'") },
        { success: true },
        { error: expect.stringMatching(/nack|rejected/i) },
        { success: true },
      ]);
    });

    test('a queue that exists with other settings is an error', async () => {
      await text('x', { durable: true });
      await expect(text('x', { durable: false })).rejects.toThrow('PRECONDITION_FAILED');
    });

    test('a missing queue or a wrong password prevents the start, and the error does not contain the password', async () => {
      await expect(listen({ assertQueue: false })).rejects.toThrow(`no queue '${queue}'`);
      const credential = { password: 'wrong one' };
      const refused = { message: expect.stringMatching(/^RabbitMQ: (?!.*wrong one).*ACCESS_REFUSED/) };
      await expect(listen({}, { credential })).rejects.toMatchObject(refused);
      await expect(send({}, { credential })).rejects.toMatchObject(refused);
      const { signal } = new AbortController();
      expect(await rabbitmqCredential.test?.(login, ports, signal)).toEqual({ status: 'OK', message: 'the connection works' });
      expect(await rabbitmqCredential.test?.({ ...login, ...credential }, ports, signal)).toMatchObject({ status: 'Error' });
    });

    test('a lost broker is reported', async () => {
      const listener = await listen();
      await kill();
      await eventually(() => expect(listener.failures).toMatchObject([{ code: 'CONNECTION_FAILED' }]));
    });
  },
);
