import { afterAll, afterEach, expect, test } from '@jest/globals';
import type { JsonObject } from '@sluice/node-sdk';
import { eventually } from '@sluice/test-support';
import { startRabbitMq } from '@sluice/test-support/servers';
import { amqp as amqpCredential } from '../../src/credentials/amqp.ts';
import { amqp } from '../../src/nodes/amqp/amqp.ts';
import { amqpTrigger } from '../../src/nodes/amqp-trigger/amqp-trigger.ts';
import { realPorts } from '../../src/testing/credential-ports.ts';
import { runForJson } from '../../src/testing/fake-context.ts';
import { jsonOf, listenerBench } from '../../src/testing/listener-bench.ts';
import { describeWith } from './support/describe-with.ts';

const ports = realPorts();
const bench = listenerBench(amqpTrigger);
const password = 'correct horse';

afterAll(async () => {
  await bench.close();
  await ports.close();
});

await describeWith(
  'RabbitMQ with AMQP 1.0',
  () => startRabbitMq(password),
  ({ host, port, kill }) => {
    const login = { hostname: host, port, username: 'ann', password };
    const send = (parameters: JsonObject, json: JsonObject[], credential: JsonObject = login) =>
      runForJson(amqp, { connect: ports.connect, credentials: { amqp: credential }, parameters, json });
    const listen = (parameters: JsonObject, credential: JsonObject = login) =>
      bench.start({ credentials: { amqp: credential }, parameters });

    afterEach(() => bench.closeListeners());

    test('items reach the trigger once each and in order', async () => {
      const listener = await listen({
        sink: '/queue/a',
        options: { onlyBody: true, jsonParseBody: true, pullMessagesNumber: 3 },
      });
      const json = Array.from({ length: 20 }, (_, n) => ({ n, text: 'ü' }));
      await send({ sink: '/queue/a' }, json);
      await eventually(() => expect(jsonOf(listener)).toEqual(json.map((item) => [item])));
    });

    test('a message has its properties and, with the option, a map as its body', async () => {
      const listener = await listen({ sink: '/queue/b' });
      const data = { text: 'ä', list: [1, -1, 2.5, null], flag: true, deep: { n: 5_000_000_000 } };
      const options = { dataAsObject: true, sendOnlyProperty: 'data' };
      await send({ sink: '/queue/b', headerParametersJson: { n: 1, flag: false }, options }, [{ data }]);
      await eventually(() =>
        expect(jsonOf(listener)).toMatchObject([[{ body: data, application_properties: { n: 1, flag: false } }]]),
      );
    });

    test('a refused address is reported with the broker’s error', async () => {
      await expect(send({ sink: '/nowhere/at all' }, [{}])).rejects.toMatchObject({
        message: expect.stringContaining('amqp:'),
        itemIndex: 0,
      });
      await expect(listen({ sink: '/nowhere/at all' })).rejects.toThrow('amqp:');
    });

    test('a wrong password is refused, and the error does not contain it', async () => {
      const wrong = { ...login, password: 'wrong one' };
      const refused = { message: 'the server does not accept the user name and password' };
      await expect(send({ sink: '/queue/a' }, [{}], wrong)).rejects.toMatchObject(refused);
      await expect(listen({ sink: '/queue/a' }, wrong)).rejects.toMatchObject(refused);
      const { signal } = new AbortController();
      expect(await amqpCredential.test?.(login, ports, signal)).toEqual({ status: 'OK', message: 'the connection works' });
      expect(await amqpCredential.test?.(wrong, ports, signal)).toMatchObject({ status: 'Error' });
    });

    test('a lost broker is reported', async () => {
      const listener = await listen({ sink: '/queue/a' });
      await kill();
      await eventually(() => expect(listener.failures).toMatchObject([{ code: 'CONNECTION_FAILED' }]));
    });
  },
);
