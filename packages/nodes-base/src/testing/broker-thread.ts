// A broker on a separate thread, so that a test measures only the client's thread. Its message is
// the port; it sends each string that it receives.
import { parentPort, workerData } from 'node:worker_threads';
import { amqpServer } from './amqp-server.ts';
import { kafkaServer } from './kafka-server.ts';
import { mqttServer } from './mqtt-server.ts';
import { rabbitMqServer } from './rabbitmq-server.ts';

export interface BrokerThreadData {
  broker: keyof typeof brokers;
  password: string;
}

const { broker, password } = workerData as BrokerThreadData;

const brokers = {
  async amqp() {
    const server = await amqpServer(password);
    return { port: server.port, send: (text: string) => server.offer('q', { message_id: '1', body: text }) };
  },
  async kafka() {
    const server = await kafkaServer(password);
    return { port: server.port, send: (text: string) => server.offer('q', text) };
  },
  async mqtt() {
    const server = await mqttServer(password);
    return { port: server.port, send: (text: string) => server.publish('q', text, 1) };
  },
  async rabbitmq() {
    const server = await rabbitMqServer(password);
    return { port: server.port, send: (text: string) => server.offer('q', text, { messageId: '1' }) };
  },
};

const { port, send } = await brokers[broker]();
parentPort?.on('message', (text: string) => void send(text));
parentPort?.postMessage(port);
