import { errorMessage, type JsonObject, NodeOperationError, optionalCredentialText } from '@sluice/node-sdk';
import type { IClientOptions, IClientPublishOptions, MqttClient } from 'mqtt';
import { unsupported } from '../shared/parameters.ts';
import { flagOf, hostOf, numberOf } from './client-data.ts';
import { answered, leave, watchLoss } from './connection-loss.ts';
import { type ConnectPort, loginTimeoutMs, openSocket } from './open-socket.ts';
import { tlsOf } from './tls-of.ts';

/** A client that an MQTT broker has let in. */
export interface OpenMqtt {
  /** Resolves once the broker has the message, as far as the quality of service says. */
  publish(topic: string, message: string, options: Pick<IClientPublishOptions, 'qos' | 'retain'>): Promise<void>;
  /** The topics may hold wildcards. Rejects where the broker refuses one of them; it does not say which. */
  subscribe(topics: ReadonlyMap<string, MqttQos>): Promise<void>;
  /** Rejects with what ended the connection; never resolves. */
  lost: Promise<never>;
  close(): Promise<void>;
}

export type MqttQos = 0 | 1 | 2;

/**
 * Takes a message. The broker hears that it has arrived, and the next one is taken, once the promise resolves; a rejection ends the connection, and the
 * broker keeps what has a quality of service for the client's session.
 */
export type OnMqttMessage = (topic: string, payload: Buffer) => Promise<void>;

/**
 * A connected client of MQTT 3.1.1, from a credential of type `mqtt`; it does not connect again by itself, and the caller closes it.
 * @param onMessage for clients that subscribe; a broker may deliver what it has kept for a session before that.
 */
export async function openMqtt(
  data: JsonObject,
  ports: ConnectPort,
  signal: AbortSignal,
  onMessage?: OnMqttMessage,
): Promise<OpenMqtt> {
  const protocol = optionalCredentialText(data, 'protocol', 'mqtt');
  if (protocol === 'ws') throw unsupported('MQTT over WebSockets', 'Choose the protocol mqtt or mqtts');
  const { MqttClient: Client } = await import('mqtt');
  const tls = (protocol === 'mqtts' || flagOf(data, 'ssl')) && tlsOf(data);
  const socket = await openSocket(ports, hostOf(data), numberOf(data, 'port', 1883), { tls, signal });
  socket.setNoDelay(true);
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
      const asked = Object.fromEntries([...topics].map(([topic, qos]) => [topic, { qos }]));
      await answered(client.subscribeAsync(asked), loss.lost).catch((error: unknown) => {
        throw /^Subscribe error/.test(errorMessage(error)) ? refused([...topics.keys()]) : error;
      });
    },
    lost: loss.lost,
    close,
  };
}

function refused(topics: readonly string[]): NodeOperationError {
  return new NodeOperationError(`the broker lets this user not subscribe to ${topics.slice(0, 10).join(', ')}`, {
    description: 'Change the topics, or let the broker allow them for the user',
  });
}

/**
 * The library acknowledges what its hooks are done with. Messages of quality 2 are taken before their first acknowledgement too: after it the broker would
 * count on a store that this process does not keep.
 */
function takeMessages(client: MqttClient, onMessage: OnMqttMessage): void {
  const bytesOf = (payload: string | Buffer) => (typeof payload === 'string' ? Buffer.from(payload) : payload);
  client.options.customHandleAcks = (topic, payload, _packet, done) => {
    onMessage(topic, bytesOf(payload)).then(
      () => done(null as never, 0),
      (error: unknown) => done(error instanceof Error ? error : new Error(String(error))),
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
    // A session under a name that is made up is never taken up again.
    clean: flagOf(data, 'clean', true) || !clientId,
    connectTimeout: loginTimeoutMs,
    reconnectPeriod: 0,
    timerVariant: 'native',
  };
}
