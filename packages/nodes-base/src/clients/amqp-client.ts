import { AppError, type JsonObject, optionalCredentialText } from '@sluice/node-sdk';
import type { AmqpError, Connection, Delivery, EventContext, Message, Receiver, Sender } from 'rhea';
import { loadAmqp } from './amqp-library.ts';
import { numberOf } from './client-data.ts';
import { answered, type ConnectionLoss, leave, watchLoss } from './connection-loss.ts';
import { type ConnectPort, openSocket } from './open-socket.ts';

/** A connection to an AMQP 1.0 broker. */
interface OpenAmqp {
  /**
   * Resolves with the delivery number once the broker accepts the message; rejects with the
   * broker's error.
   */
  send(address: string, message: Message): Promise<number>;
  /**
   * Attaches a receiver to an address. Resolves once the broker confirms; rejects with its error.
   */
  receive(address: string, receiving: AmqpReceiving): Promise<void>;
  /** Rejects with the error that ended the connection or the receiving link; never resolves. */
  lost: Promise<never>;
  close(): Promise<void>;
}

/**
 * Settlement of a message. `keep` leaves it unsettled: the broker redelivers it after the
 * connection ends.
 */
export type AmqpOutcome = 'accept' | 'reject' | 'keep';

interface AmqpReceiving {
  /** Maximum number of messages in flight. */
  credit: number;
  /**
   * Name of a durable subscription: the broker stores its messages while no client is connected.
   * Empty: not durable.
   */
  subscription: string;
  /** Never rejects. */
  onMessage(message: Message): Promise<AmqpOutcome>;
}

/** Idle timeout in milliseconds. The broker must send at least one frame in half that time. */
const silenceMs = 60_000;

/**
 * A connected AMQP 1.0 client, from a credential of type `amqp`. It does not reconnect; the caller
 * closes it.
 * @param containerId container ID of the client; empty: a unique ID for each connection.
 */
export async function openAmqp(data: JsonObject, ports: ConnectPort, signal: AbortSignal, containerId = ''): Promise<OpenAmqp> {
  const { create_container } = await loadAmqp();
  const host = optionalCredentialText(data, 'hostname').trim();
  const tls = optionalCredentialText(data, 'transportType') === 'tls';
  const socket = await openSocket(ports, host, numberOf(data, 'port', 5672), { tls, signal });
  socket.setNoDelay(true);
  const container = create_container({ reconnect: false, ...(containerId && { id: containerId }) });
  const connection = container.create_connection({
    host,
    hostname: host,
    port: numberOf(data, 'port', 5672),
    reconnect: false,
    idle_time_out: silenceMs,
    sasl_mechanisms: mechanismOf(data),
    connect: (_port: number, _host: string, _options: unknown, connected: () => void) => {
      process.nextTick(connected);
      return socket;
    },
  } as Parameters<typeof container.create_connection>[0]);
  const opened = new Promise((resolve) => connection.once('connection_open', resolve));
  connection.connect();
  const loss = watchLoss(socket);
  watchErrors(connection, loss.lose);
  await answered(opened, loss.lost).catch((error: unknown) => {
    loss.lose(error);
    throw error;
  });
  const links = new Map<string, Link>();
  return {
    send(address, message) {
      const openLink = links.get(address);
      const link = openLink?.isOpen() ? openLink : new Link(connection, address);
      links.set(address, link);
      return answered(link.send(message), loss.lost);
    },
    receive: (address, receiving) => answered(openReceiver(connection, loss, address, receiving), loss.lost),
    lost: loss.lost,
    close: () =>
      leave(socket, loss, () => {
        // Closes with an error: otherwise, the library's timers keep running.
        const closed = new Promise((_, reject) => connection.once('connection_close', () => reject(failed('closed'))));
        connection.close();
        return closed;
      }),
  };
}

/**
 * Opens a receiving link. When it closes, the connection is considered lost: a listener has only
 * one link.
 */
function openReceiver(
  connection: Connection,
  { lose, refill }: ConnectionLoss,
  address: string,
  { credit, subscription, onMessage }: AmqpReceiving,
): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const durable = subscription !== '' && { durable: 2, expiry_policy: 'never' };
  const receiver = connection.open_receiver({
    source: { address, ...durable },
    ...(subscription !== '' && { name: subscription }),
    credit_window: 0,
    autoaccept: false,
  } as Parameters<Connection['open_receiver']>[0]);
  receiver.on('receiver_open', () => {
    // To refuse, a broker first opens the link without a source, then closes it.
    if (!receiver.source?.address) return;
    receiver.add_credit(credit);
    resolve();
  });
  receiver.on('receiver_error', () => {});
  receiver.on('receiver_close', () => {
    const reason = toError(receiver.error, 'the server closed the link');
    reject(reason);
    lose(reason);
  });
  receiver.on('message', ({ message, delivery }: EventContext) => {
    refill();
    if (message && delivery) void settle(receiver, delivery, onMessage(message));
  });
  return promise;
}

async function settle(receiver: Receiver, delivery: Delivery, outcome: Promise<AmqpOutcome>): Promise<void> {
  const settled = await outcome;
  if (settled === 'keep' || receiver.is_closed() || receiver.connection.is_closed()) return;
  if (settled === 'accept') delivery.accept();
  else delivery.reject();
  receiver.add_credit(1);
}

/** The login, encoded as UTF-8 bytes: the library miscounts multibyte characters. */
function mechanismOf(data: JsonObject) {
  const user = optionalCredentialText(data, 'username');
  const response = user === '' ? 'anonymous' : `\0${user}\0${optionalCredentialText(data, 'password')}`;
  const start = (callback: (error: undefined, response: Buffer) => void) => callback(undefined, Buffer.from(response));
  return { [user === '' ? 'ANONYMOUS' : 'PLAIN']: { start } };
}

/** Handles every error event: the library prints unhandled events to the console or throws them. */
function watchErrors(connection: Connection, lose: (reason: unknown) => void): void {
  const onContext = ({ error }: EventContext) => lose(toError(error));
  for (const event of ['connection_error', 'connection_close', 'disconnected']) connection.on(event, onContext);
  for (const event of ['error', 'protocol_error']) connection.on(event, (error: AmqpError | Error) => lose(toError(error)));
  connection.on('session_error', ({ session }: EventContext) => lose(toError(session?.error)));
}

/** A link to one address, and its deliveries that await an outcome. */
class Link {
  readonly #sender: Sender;
  readonly #waiting = new Map<number, PromiseWithResolvers<number>>();

  constructor(connection: Connection, address: string) {
    this.#sender = connection.open_sender({ target: { address } });
    const refuse = (reason: string) => (context: EventContext) => this.#refuse(context.delivery, reason);
    this.#sender.on('accepted', ({ delivery }: EventContext) => this.#take(delivery)?.resolve(delivery?.id ?? 0));
    this.#sender.on('rejected', refuse('the server rejected the message'));
    this.#sender.on('released', refuse('the server did not accept the message'));
    this.#sender.on('sender_error', () => {});
    this.#sender.on('sender_close', () => {
      for (const { reject } of this.#waiting.values()) reject(this.#closed());
      this.#waiting.clear();
    });
  }

  isOpen(): boolean {
    return !this.#sender.is_closed() && this.#sender.error === undefined;
  }

  /** Waits for credit first: a message sent on a link without credit blocks all other links. */
  async send(message: Message): Promise<number> {
    if (!this.#sender.sendable()) await this.#credit();
    const { id } = this.#sender.send(message);
    const outcome = Promise.withResolvers<number>();
    this.#waiting.set(id, outcome);
    return outcome.promise;
  }

  async #credit(): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<unknown>();
    const refuse = () => reject(this.#closed());
    this.#sender.once('sendable', resolve);
    this.#sender.once('sender_close', refuse);
    try {
      await promise;
    } finally {
      this.#sender.off('sender_close', refuse); // a broker may grant credit for one message at a time
    }
  }

  #closed(): AppError {
    return toError(this.#sender.error, 'the server closed the link');
  }

  #take(delivery: Delivery | undefined): PromiseWithResolvers<number> | undefined {
    const outcome = delivery && this.#waiting.get(delivery.id);
    if (delivery) this.#waiting.delete(delivery.id);
    return outcome;
  }

  #refuse(delivery: Delivery | undefined, reason: string): void {
    const state = delivery?.remote_state as { error?: AmqpError } | undefined;
    this.#take(delivery)?.reject(toError(state?.error, reason));
  }
}

/**
 * A short error: the library's errors reference the whole connection, and their messages may be
 * only protocol numbers.
 */
function toError(error: unknown, otherwise = 'the server closed the connection'): AppError {
  const { description, message, condition } = (error ?? {}) as { description?: string; message?: string; condition?: string };
  const text = description || message || otherwise;
  if (/^Failed to authenticate: 1$/.test(text)) return failed('the server does not accept the user name and password');
  return failed(condition && !text.includes(condition) ? `${text} (${condition})` : text);
}

function failed(message: string): AppError {
  return new AppError({ code: 'CONNECTION_FAILED', message });
}
