// A broker from npm; Mosquitto (tests/services) does not report which messages were acknowledged.
import { createServer } from 'node:net';
import { type LoopbackServer, listening } from '@sluice/http-client/testing';
import { Aedes } from 'aedes';

/** A message as the broker received it. */
interface MqttMessage {
  topic: string;
  text: string;
  qos: number;
  retain: boolean;
}

export interface MqttServer extends LoopbackServer {
  messages: MqttMessage[];
  /** Client IDs of the clients that logged in. */
  clients: string[];
  /** Sends a message to all subscribers of its topic. */
  publish(topic: string, text: string, qos?: 0 | 1 | 2): Promise<void>;
  /** Topics of acknowledged messages. */
  acknowledged: string[];
}

/**
 * An MQTT broker that accepts `ann` with a password. It refuses messages and subscriptions to
 * `forbidden`.
 */
export async function mqttServer(password: string): Promise<MqttServer> {
  const messages: MqttMessage[] = [];
  const clients: string[] = [];
  const acknowledged: string[] = [];
  const broker = await Aedes.createBroker({
    authenticate: (_, username, received, done) => done(null, username === 'ann' && String(received) === password),
    authorizeSubscribe: (_, subscription, done) => done(null, subscription.topic === 'forbidden' ? null : subscription),
    authorizePublish: (_, { topic }, done) => done(topic === 'forbidden' ? new Error('not for you') : null),
  });
  broker.on('client', ({ id }) => clients.push(id));
  broker.on('publish', ({ topic, payload, qos, retain }, client) => {
    if (client) messages.push({ topic, text: String(payload), qos, retain });
  });
  broker.on('ack', (packet) => {
    if (packet && 'topic' in packet) acknowledged.push(String(packet.topic));
  });
  const publish = (topic: string, text: string, qos: 0 | 1 | 2 = 0) =>
    new Promise<void>((resolve, reject) => {
      const packet = { cmd: 'publish' as const, topic, payload: text, qos, retain: false, dup: false };
      broker.publish(packet, (error) => (error ? reject(error) : resolve()));
    });
  const loopback = await listening(createServer(broker.handle));
  const close = async () => {
    await new Promise<void>((closed) => broker.close(closed));
    await loopback.close();
  };
  return { ...loopback, close, messages, clients, publish, acknowledged };
}
