import { AppError, type JsonObject, optionalCredentialText } from '@sluice/node-sdk';
import type { AmqpError, Connection, Delivery, EventContext, Message, Sender } from 'rhea';
import { numberOf } from './client-data.ts';
import { answered, leave, watchLoss } from './connection-loss.ts';
import { type ConnectPort, openSocket } from './open-socket.ts';

/** A connection to a broker of AMQP 1.0. */
export interface OpenAmqp {
  /** Resolves with the number of the delivery once the broker has accepted it; rejects with what the broker says. */
  send(address: string, message: Message): Promise<number>;
  close(): Promise<void>;
}

/**
 * A connected client of AMQP 1.0, from a credential of type `amqp`; it does not connect again by itself, and the caller closes it.
 * @param containerId what the client calls itself; empty: a name of its own for each connection.
 */
export async function openAmqp(data: JsonObject, ports: ConnectPort, signal: AbortSignal, containerId = ''): Promise<OpenAmqp> {
  // A CommonJS module whose names Node cannot see.
  const { create_container } = (await import('rhea')).default;
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
      const known = links.get(address);
      const link = known?.isOpen() ? known : new Link(connection, address);
      links.set(address, link);
      return answered(link.send(message), loss.lost);
    },
    close: () =>
      leave(socket, loss, () => {
        const closed = new Promise((resolve) => connection.once('connection_close', resolve));
        connection.close();
        return closed;
      }),
  };
}

/** The login as bytes: the library's own counts characters, of which some have more than one. */
function mechanismOf(data: JsonObject) {
  const user = optionalCredentialText(data, 'username');
  const response = user === '' ? 'anonymous' : `\0${user}\0${optionalCredentialText(data, 'password')}`;
  const start = (callback: (error: undefined, response: Buffer) => void) => callback(undefined, Buffer.from(response));
  return { [user === '' ? 'ANONYMOUS' : 'PLAIN']: { start } };
}

/** What nobody listens to, the library writes to the console of the process, or throws. */
function watchErrors(connection: Connection, lose: (reason: unknown) => void): void {
  const onContext = ({ error }: EventContext) => lose(toError(error));
  for (const event of ['connection_error', 'connection_close', 'disconnected']) connection.on(event, onContext);
  for (const event of ['error', 'protocol_error']) connection.on(event, (error: AmqpError | Error) => lose(toError(error)));
  connection.on('session_error', ({ session }: EventContext) => lose(toError(session?.error)));
}

/** A link to one address, and the deliveries that wait for their outcome. */
class Link {
  readonly #sender: Sender;
  readonly #waiting = new Map<number, PromiseWithResolvers<number>>();

  constructor(connection: Connection, address: string) {
    this.#sender = connection.open_sender({ target: { address } });
    const refuse = (reason: string) => (context: EventContext) => this.#refuse(context.delivery, reason);
    this.#sender.on('accepted', ({ delivery }: EventContext) => this.#take(delivery)?.resolve(delivery?.id ?? 0));
    this.#sender.on('rejected', refuse('the server rejected the message'));
    this.#sender.on('released', refuse('the server did not take the message'));
    this.#sender.on('sender_error', () => {});
    this.#sender.on('sender_close', () => {
      for (const { reject } of this.#waiting.values()) reject(this.#closed());
      this.#waiting.clear();
    });
  }

  isOpen(): boolean {
    return !this.#sender.is_closed() && this.#sender.error === undefined;
  }

  /** Waits for credit first: a message on a link without it would hold up those of all others. */
  async send(message: Message): Promise<number> {
    if (!this.#sender.sendable()) await this.#credit();
    const { id } = this.#sender.send(message);
    const outcome = Promise.withResolvers<number>();
    this.#waiting.set(id, outcome);
    return outcome.promise;
  }

  #credit(): Promise<unknown> {
    const { promise, resolve, reject } = Promise.withResolvers<unknown>();
    this.#sender.once('sendable', resolve);
    this.#sender.once('sender_close', () => reject(this.#closed()));
    return promise;
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

/** Errors of the library hold the whole connection, and the numbers of the protocol where words would help. */
function toError(error: unknown, otherwise = 'the server closed the connection'): AppError {
  const { description, message, condition } = (error ?? {}) as { description?: string; message?: string; condition?: string };
  const text = description || message || otherwise;
  if (/^Failed to authenticate: 1$/.test(text)) return failed('the server does not accept user and password');
  return failed(condition && !text.includes(condition) ? `${text} (${condition})` : text);
}

function failed(message: string): AppError {
  return new AppError({ code: 'CONNECTION_FAILED', message });
}
