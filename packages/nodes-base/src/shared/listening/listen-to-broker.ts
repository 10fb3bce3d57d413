import type { ListenContext, TriggerHandle } from '@sluice/node-sdk';
import { connectionFailed } from '../connection-failed.ts';
import { whileOpening } from './while-opening.ts';

/** A connection to a broker. */
interface BrokerClient {
  /** Rejects when the connection is lost. */
  readonly lost: Promise<never>;
  close(): Promise<void>;
}

export interface BrokerListening<Client extends BrokerClient> {
  /** Name of the broker, for error messages. */
  service: string;
  open(signal: AbortSignal): Promise<Client>;
  /** Subscribes to the broker's messages. */
  subscribe(client: Client): Promise<unknown>;
  /** Waits a short time for messages in flight; never rejects. */
  settled(): Promise<void>;
}

/**
 * Listens over its own connection. If it cannot start, it closes the connection and rejects. A
 * connection lost later fails the listener. Closing waits for messages in flight, so that they can
 * still be acknowledged.
 */
export async function listenToBroker<Client extends BrokerClient>(
  context: Pick<ListenContext, 'signal' | 'failed'>,
  listening: BrokerListening<Client>,
): Promise<TriggerHandle> {
  const { service, settled } = listening;
  const client = await whileOpening(context.signal, (signal) => subscribed(listening, signal)).catch((error: unknown) => {
    throw connectionFailed(error, service);
  });
  let closed = false;
  client.lost.catch((error: unknown) => closed || context.failed(connectionFailed(error, service)));
  return {
    async close() {
      closed = true;
      await settled();
      await client.close();
    },
  };
}

/** A client with its subscription. */
async function subscribed<Client extends BrokerClient>(
  { open, subscribe }: BrokerListening<Client>,
  signal: AbortSignal,
): Promise<Client> {
  const client = await open(signal);
  try {
    await subscribe(client);
    return client;
  } catch (error) {
    await client.close();
    throw error;
  }
}
