import type { Socket } from 'node:net';
import { addAbortSignal } from 'node:stream';
import { AppError, type ConnectOptions, type CredentialPorts } from '@sluice/node-sdk';

/** What clients of databases, mail and files are given of the world outside. */
export type ConnectPort = Pick<CredentialPorts, 'connect'>;

/** Milliseconds for greeting and login, where a client of a library keeps a time of its own. */
export const loginTimeoutMs = 15_000;

/**
 * A guarded connection that ends when the signal fires, which the client above it then notices. Throws `CONNECTION_FAILED` where nobody answers
 * within `timeoutMs`, and what the port throws.
 */
export async function openSocket(
  ports: ConnectPort,
  host: string,
  port: number,
  options: ConnectOptions,
  timeoutMs = loginTimeoutMs,
): Promise<Socket> {
  const deadline = AbortSignal.timeout(timeoutMs);
  const signal = AbortSignal.any([options.signal, deadline]);
  const socket = await ports.connect(host, port, { ...options, signal }).catch((error: unknown) => {
    if (options.signal.aborted || !deadline.aborted) throw error;
    const message = `no connection: no answer within ${timeoutMs / 1_000} seconds`;
    throw new AppError({ code: 'CONNECTION_FAILED', message, kind: 'transient', cause: error });
  });
  // Between two users a socket may fail with nobody listening.
  socket.on('error', () => {});
  return addAbortSignal(options.signal, socket);
}

/**
 * For libraries that take a socket but want to connect it themselves: its `connect` does nothing, and says that it is done.
 */
export function asUnconnected(socket: Socket): Socket {
  const connect = () => {
    process.nextTick(() => socket.emit('connect'));
    return socket;
  };
  return Object.assign(socket, { connect });
}
