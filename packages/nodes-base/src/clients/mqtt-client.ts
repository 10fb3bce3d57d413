import { type JsonObject, optionalCredentialText } from '@sluice/node-sdk';
import type { IClientOptions, IClientPublishOptions } from 'mqtt';
import { unsupported } from '../shared/parameters.ts';
import { flagOf, hostOf, numberOf } from './client-data.ts';
import { answered, leave, watchLoss } from './connection-loss.ts';
import { type ConnectPort, loginTimeoutMs, openSocket } from './open-socket.ts';
import { tlsOf } from './tls-of.ts';

/** A client that an MQTT broker has let in. */
export interface OpenMqtt {
  /** Resolves once the broker has the message, as far as the quality of service says. */
  publish(topic: string, message: string, options: Pick<IClientPublishOptions, 'qos' | 'retain'>): Promise<void>;
  close(): Promise<void>;
}

/** A connected client of MQTT 3.1.1, from a credential of type `mqtt`; it does not connect again by itself, and the caller closes it. */
export async function openMqtt(data: JsonObject, ports: ConnectPort, signal: AbortSignal): Promise<OpenMqtt> {
  const protocol = optionalCredentialText(data, 'protocol', 'mqtt');
  if (protocol === 'ws') throw unsupported('MQTT over WebSockets', 'Choose the protocol mqtt or mqtts');
  const { MqttClient } = await import('mqtt');
  const tls = (protocol === 'mqtts' || flagOf(data, 'ssl')) && tlsOf(data);
  const socket = await openSocket(ports, hostOf(data), numberOf(data, 'port', 1883), { tls, signal });
  socket.setNoDelay(true);
  const client = new MqttClient(() => socket, optionsOf(data));
  const loss = watchLoss(socket);
  client.on('error', loss.lose);
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
    close,
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
