import { afterAll, afterEach, expect, test } from '@jest/globals';
import type { JsonObject } from '@sluice/node-sdk';
import { eventually } from '@sluice/test-support';
import { startMosquitto } from '@sluice/test-support/servers';
import { mqtt as mqttCredential } from '../../src/credentials/mqtt.ts';
import { mqtt } from '../../src/nodes/mqtt/mqtt.ts';
import { mqttTrigger } from '../../src/nodes/mqtt-trigger/mqtt-trigger.ts';
import { realPorts } from '../../src/testing/credential-ports.ts';
import { runNode } from '../../src/testing/fake-context.ts';
import { jsonOf, listenerBench } from '../../src/testing/listener-bench.ts';
import { describeWith } from './support/describe-with.ts';

const ports = realPorts();
const bench = listenerBench(mqttTrigger);
const password = 'correct horse';
const start = () => startMosquitto(password);

afterAll(async () => {
  await bench.close();
  await ports.close();
});

await describeWith('Mosquitto', start, ({ host, port }) => {
  afterEach(() => bench.closeListeners());
  const login = { host, port, username: 'ann', password };
  const send = (parameters: JsonObject, json: JsonObject[] = [{}], credential: JsonObject = login) =>
    runNode(mqtt, { connect: ports.connect, credentials: { mqtt: credential }, parameters, json });
  const listen = (parameters: JsonObject, credential: JsonObject = login) =>
    bench.start({ credentials: { mqtt: credential }, parameters });

  test.each([0, 1, 2])('messages with QoS %i reach the trigger once each and in order', async (qos) => {
    const listener = await listen({ topics: `in/${qos}/#:${qos}`, options: { onlyMessage: true, jsonParseBody: true } });
    const json = Array.from({ length: 20 }, (_, n) => ({ n }));
    await send({ topic: `in/${qos}/x`, options: { qos } }, json);
    await eventually(() => expect(jsonOf(listener)).toEqual(json.map((message) => [{ message }])));
  });

  test('a retained message reaches a later trigger', async () => {
    await send({ topic: 'kept', sendInputData: false, message: 'last value', options: { qos: 1, retain: true } });
    const listener = await listen({ topics: 'kept:1' });
    await eventually(() => expect(jsonOf(listener)).toEqual([[{ message: 'last value', topic: 'kept' }]]));
  });

  test('a session without a listener keeps its messages', async () => {
    const session = { ...login, clientId: 'me', clean: false };
    await (await listen({ topics: 'session:1' }, session)).close();
    await send({ topic: 'session', sendInputData: false, message: 'x', options: { qos: 1 } });
    const listener = await listen({ topics: 'session:1' }, session);
    await eventually(() => expect(jsonOf(listener)).toEqual([[{ message: 'x', topic: 'session' }]]));
  });

  test('a wrong password is refused by the node, the trigger, and the credential test, and no error contains it', async () => {
    const wrong = { ...login, password: 'wrong one' };
    const refused = { message: expect.stringMatching(/^MQTT: Connection refused: (?!.*wrong one)/) };
    await expect(send({ topic: 't' }, [{}], wrong)).rejects.toMatchObject(refused);
    await expect(listen({ topics: 't' }, wrong)).rejects.toMatchObject(refused);
    const { signal } = new AbortController();
    expect(await mqttCredential.test?.(login, ports, signal)).toEqual({ status: 'OK', message: 'the connection works' });
    expect(await mqttCredential.test?.(wrong, ports, signal)).toMatchObject({ status: 'Error' });
  });

  test('a lost broker ends the trigger with one error', async () => {
    const own = await start();
    const listener = await listen({ topics: 'a' }, { ...login, port: own.port });
    await own.kill();
    await eventually(() => expect(listener.failures).toMatchObject([{ code: 'CONNECTION_FAILED' }]));
    await own.close();
  });
});
