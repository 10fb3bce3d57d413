import type { Socket } from 'node:net';
import { addAbortSignal } from 'node:stream';
import { AppError, type ConnectOptions, type CredentialPorts } from '@sluice/node-sdk';

/** Network access of database, mail, and file clients. */
export type ConnectPort = Pick<CredentialPorts, 'connect'>;

/** Milliseconds for greeting and login, for libraries with a timeout of their own. */
export const loginTimeoutMs = 15_000;

/**
 * Opens a guarded connection that ends when the signal fires. Throws `CONNECTION_FAILED` after
 * `timeoutMs`, and the port's errors.
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
  // Without a listener, a socket error between two users would end the process.
  socket.on('error', () => {});
  return addAbortSignal(options.signal, socket);
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
