import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { expect, test } from '@jest/globals';
import type { JsonObject, NodeType } from '@sluice/node-sdk';
import { eventually, longestBusy } from '@sluice/test-support';
import { amqpTrigger } from './nodes/amqp-trigger/amqp-trigger.ts';
import { kafkaTrigger } from './nodes/kafka-trigger/kafka-trigger.ts';
import { mqttTrigger } from './nodes/mqtt-trigger/mqtt-trigger.ts';
import { rabbitmqTrigger } from './nodes/rabbitmq-trigger/rabbitmq-trigger.ts';
import type { BrokerThreadData } from './testing/broker-thread.ts';
import { listenerBench } from './testing/listener-bench.ts';

/** Maximum CPU time, in milliseconds, that may block the event loop. */
const maxStallMs = 250;

const password = 'correct horse';
const host = '127.0.0.1';
const login = { host, hostname: host, username: 'ann', password };

interface Listening {
  type: NodeType;
  broker: BrokerThreadData['broker'];
  credentials(port: number): Record<string, JsonObject>;
  parameters: JsonObject;
}

const listeners: Record<string, Listening> = {
  AMQP: {
    type: amqpTrigger,
    broker: 'amqp',
    credentials: (port) => ({ amqp: { ...login, port } }),
    parameters: { sink: 'q', options: { jsonParseBody: true } },
  },
  Kafka: {
    type: kafkaTrigger,
    broker: 'kafka',
    credentials: (port) => ({ kafka: { brokers: `${host}:${port}`, ssl: false } }),
    parameters: { topic: 'q', groupId: 'g', options: { jsonParseMessage: true, fetchMaxBytes: 10_485_760 } },
  },
  MQTT: {
    type: mqttTrigger,
    broker: 'mqtt',
    credentials: (port) => ({ mqtt: { ...login, port } }),
    parameters: { topics: 'q:1', options: { jsonParseBody: true } },
  },
  RabbitMQ: {
    type: rabbitmqTrigger,
    broker: 'rabbitmq',
    credentials: (port) => ({ rabbitmq: { ...login, port } }),
    parameters: { queue: 'q', options: { assertQueue: true, jsonParseBody: true } },
  },
};

/** About 8 MB of JSON, which `JSON.parse` parses in 350 ms to 1 s. */
const texts: Record<string, string> = {
  'many empty lists': `[${'[],'.repeat(2_500_000)}[]]`,
  'deep nesting': '['.repeat(8_000_000),
  'an object with many fields': `{${Array.from({ length: 400_000 }, (_, n) => `"field${n}":1`).join(',')}}`,
};

const cases = Object.entries(listeners).flatMap(([name, listening]) =>
  Object.entries(texts).map(([kind, text]) => [name, kind, listening, text] as const),
);

test.each(cases)(
  '%s Trigger: a message of %s does not block the event loop',
  async (_name, _kind, { type, broker, credentials, parameters }, text) => {
    const bench = listenerBench(type);
    const thread = new Worker(new URL('./testing/broker-thread.ts', import.meta.url), { workerData: { broker, password } });
    try {
      const [port] = (await once(thread, 'message')) as [number];
      const listener = await bench.start({ credentials: credentials(port), parameters });
      const busy = await longestBusy(async () => {
        thread.postMessage(text);
        await eventually(() => listener.events.length > 0);
      });
      expect(busy).toBeLessThan(maxStallMs);
    } finally {
      await bench.closeListeners();
      await bench.close();
      await thread.terminate();
    }
  },
);
