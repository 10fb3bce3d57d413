import { AsyncResource } from 'node:async_hooks';
import type { Socket } from 'node:net';
import { addAbortSignal, type Duplex } from 'node:stream';
import { AppError, type ConnectOptions, type CredentialPorts, errorMessage } from '@sluice/node-sdk';
import { PacedSocket } from './paced-socket.ts';

/** Network access for database, mail, and file clients. */
export type ConnectPort = Pick<CredentialPorts, 'connect'>;

/** Timeout for greeting and login in milliseconds, for libraries with their own timeout. */
export const loginTimeoutMs = 15_000;

/**
 * Opens a guarded connection that ends when the signal fires, and that delivers the server's bytes
 * at a pace that does not block the event loop. Throws `CONNECTION_FAILED` after `timeoutMs`, and
 * the port's errors. `maxReadBytes`: the connection ends when the server has sent more.
 */
export async function openSocket(
  ports: ConnectPort,
  host: string,
  port: number,
  { maxReadBytes, ...options }: ConnectOptions & { maxReadBytes?: number },
  timeoutMs = loginTimeoutMs,
): Promise<Socket> {
  const deadline = AbortSignal.timeout(timeoutMs);
  const signal = AbortSignal.any([options.signal, deadline]);
  const socket = await ports.connect(host, port, { ...options, signal }).catch((error: unknown) => {
    if (options.signal.aborted || !deadline.aborted) throw error;
    const message = `no connection: no response within ${timeoutMs / 1_000} seconds`;
    throw new AppError({ code: 'CONNECTION_FAILED', message, kind: 'transient', cause: error });
  });
  // Clients use no other socket members.
  const paced = new PacedSocket(socket, maxReadBytes) as Duplex as Socket;
  // Without a listener, a socket error between two users would end the process.
  paced.on('error', () => {});
  addAbortSignal(inContext(options.signal, paced), paced);
  return contained(paced);
}

/**
 * A signal that fires in the caller's context: errors that a client throws when its socket ends
 * belong to its node, regardless of which code fired the signal.
 */
function inContext(signal: AbortSignal, socket: Socket): AbortSignal {
  const ending = new AbortController();
  const end = AsyncResource.bind(() => ending.abort(signal.reason));
  if (signal.aborted) end();
  signal.addEventListener('abort', end, { once: true });
  socket.once('close', () => signal.removeEventListener('abort', end));
  return ending.signal;
}

const readEvents: ReadonlySet<string | symbol> = new Set(['data', 'readable', 'end']);

/**
 * Ends the connection with the error that a client throws while it reads; otherwise, the error
 * would be uncaught.
 */
function contained(socket: Socket): Socket {
  const { emit } = socket;
  socket.emit = (event: string | symbol, ...args: unknown[]) => {
    try {
      return emit.call(socket, event, ...args);
    } catch (error) {
      if (!readEvents.has(event)) throw error;
      socket.destroy(new Error(`the server's response cannot be read: ${errorMessage(error)}`, { cause: error }));
      return true;
    }
  };
  return socket;
}

/**
 * Wraps a connected socket for libraries that call `connect` themselves: the call only reports
 * success.
 */
export function asUnconnected(socket: Socket): Socket {
  const connect = () => {
    process.nextTick(() => socket.emit('connect'));
    return socket;
  };
  return Object.assign(socket, { connect });
}
