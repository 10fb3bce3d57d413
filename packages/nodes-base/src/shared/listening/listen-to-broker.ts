import type { ListenContext, TriggerHandle } from '@sluice/node-sdk';
import { connectionFailed } from '../connection-failed.ts';
import { whileOpening } from './while-opening.ts';

/** A connection to a broker. */
export interface BrokerClient {
  /** Rejects once the connection is gone. */
  readonly lost: Promise<never>;
  close(): Promise<void>;
}

export interface BrokerListening<Client extends BrokerClient> {
  /** Name of the broker, for messages of errors. */
  service: string;
  open(signal: AbortSignal): Promise<Client>;
  /** Asks the broker for its messages. */
  begin(client: Client): Promise<unknown>;
  /** Waits for messages that are under way, not for long; never rejects. */
  settled(): Promise<void>;
}

/**
 * Listens over a connection of its own. Rejects, with no connection left, where it cannot begin. A connection that is lost later fails the listener, unless that
 * has been closed by then: messages that are under way are waited for first, so that they can still be acknowledged.
 */
export async function listenToBroker<Client extends BrokerClient>(
  context: Pick<ListenContext, 'signal' | 'failed'>,
  listening: BrokerListening<Client>,
): Promise<TriggerHandle> {
  const { service, settled } = listening;
  const client = await whileOpening(context.signal, (signal) => begun(listening, signal)).catch((error: unknown) => {
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

async function begun<Client extends BrokerClient>(
  { open, begin }: BrokerListening<Client>,
  signal: AbortSignal,
): Promise<Client> {
  const client = await open(signal);
  try {
    await begin(client);
    return client;
  } catch (error) {
    await client.close();
    throw error;
  }
}
