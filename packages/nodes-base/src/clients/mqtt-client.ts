import type { Socket } from 'node:net';
import { errorMessage, type JsonObject, NodeOperationError, optionalCredentialText } from '@sluice/node-sdk';
import type { IClientOptions, IClientPublishOptions, MqttClient } from 'mqtt';
import { unsupported } from '../shared/parameters.ts';
import { flagOf, hostOf, numberOf } from './client-data.ts';
import { answered, leave, watchLoss } from './connection-loss.ts';
import { MqttLengths } from './mqtt-lengths.ts';
import { type ConnectPort, loginTimeoutMs, openSocket } from './open-socket.ts';
import { tlsOf } from './tls-of.ts';

/** A client connected to an MQTT broker. */
interface OpenMqtt {
  /** Resolves once the broker has received the message, as defined by the quality of service. */
  publish(topic: string, message: string, options: Pick<IClientPublishOptions, 'qos' | 'retain'>): Promise<void>;
  /**
   * Topics may contain wildcards. Rejects if the broker refuses a topic; it does not report which.
   */
  subscribe(topics: ReadonlyMap<string, MqttQos>): Promise<void>;
  /** Rejects with the error that ended the connection; never resolves. */
  lost: Promise<never>;
  close(): Promise<void>;
}

export type MqttQos = 0 | 1 | 2;

/**
 * Handles a message. When the promise resolves, the message is acknowledged and the next one is
 * read. A rejection ends the connection; the broker keeps messages whose quality of service allows
 * it.
 */
type OnMqttMessage = (topic: string, payload: Buffer) => Promise<void>;

/**
 * A connected MQTT 3.1.1 client, from a credential of type `mqtt`. It does not reconnect; the
 * caller closes it.
 * @param onMessage for subscribers; a broker may deliver stored messages of the session before
 * `subscribe`.
 */
export async function openMqtt(
  data: JsonObject,
  ports: ConnectPort,
  signal: AbortSignal,
  onMessage?: OnMqttMessage,
): Promise<OpenMqtt> {
  const protocol = optionalCredentialText(data, 'protocol', 'mqtt');
  if (protocol === 'ws') throw unsupported('MQTT over WebSockets', 'Use the protocol mqtt or mqtts');
  const { MqttClient: Client } = await import('mqtt');
  const tls = (protocol === 'mqtts' || flagOf(data, 'ssl')) && tlsOf(data);
  const socket = await openSocket(ports, hostOf(data), numberOf(data, 'port', 1883), { tls, signal });
  socket.setNoDelay(true);
  checkLengths(socket);
  const client = new Client(() => socket, optionsOf(data));
  const loss = watchLoss(socket);
  client.on('error', loss.lose);
  if (onMessage) {
    takeMessages(client, async (topic, payload) => {
      loss.refill();
      await onMessage(topic, payload);
    });
  }
  const close = () => leave(socket, loss, () => client.endAsync()).finally(() => client.end(true));
  try {
    const connected = new Promise<unknown>((resolve) => client.once('connect', resolve));
    await answered(connected, loss.lost);
  } catch (error) {
    client.end(true);
    throw error;
  }
  return {
    async publish(topic, message, options) {
      await answered(client.publishAsync(topic, message, options), loss.lost);
    },
    async subscribe(topics) {
      const subscriptions = Object.fromEntries([...topics].map(([topic, qos]) => [topic, { qos }]));
      await answered(client.subscribeAsync(subscriptions), loss.lost).catch((error: unknown) => {
        throw /^Subscribe error/.test(errorMessage(error)) ? refused([...topics.keys()]) : error;
      });
    },
    lost: loss.lost,
    close,
  };
}

/**
 * Listens before the library does, so that the library receives nothing after an oversized packet.
 */
function checkLengths(socket: Socket): void {
  const lengths = new MqttLengths();
  socket.on('data', (chunk: Buffer) => lengths.read(chunk));
}

function refused(topics: readonly string[]): NodeOperationError {
  return new NodeOperationError(`the broker does not allow this user to subscribe to ${topics.slice(0, 10).join(', ')}`, {
    description: 'Change the topics, or allow them for the user at the broker',
  });
}

/**
 * Acknowledges messages after `onMessage`, through the library's hooks. QoS 2 messages are also
 * handled before their first acknowledgment: after it, the broker relies on a store that this
 * process does not have.
 */
function takeMessages(client: MqttClient, onMessage: OnMqttMessage): void {
  const bytesOf = (payload: string | Buffer) => (typeof payload === 'string' ? Buffer.from(payload) : payload);
  client.options.customHandleAcks = (topic, payload, _packet, done) => {
    onMessage(topic, bytesOf(payload)).then(
      () => done(null as never, 0),
      (error: unknown) => done(error instanceof Error ? error : new Error(errorMessage(error))),
    );
  };
  client.handleMessage = ({ qos, topic, payload }, done) => {
    if (qos > 0) return done();
    onMessage(topic, bytesOf(payload)).then(() => done(), done);
  };
}

function optionsOf(data: JsonObject): IClientOptions {
  const [username, password, clientId] = ['username', 'password', 'clientId'].map((field) =>
    optionalCredentialText(data, field),
  );
  return {
    ...(username && { username, password: password ?? '' }),
    ...(clientId && { clientId }),
    // A session with a generated client ID is never resumed.
    clean: flagOf(data, 'clean', true) || !clientId,
    connectTimeout: loginTimeoutMs,
    reconnectPeriod: 0,
    timerVariant: 'native',
  };
}
