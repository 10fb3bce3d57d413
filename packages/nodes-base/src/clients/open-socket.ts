import type { Socket } from 'node:net';
import { addAbortSignal } from 'node:stream';
import type { ConnectOptions, CredentialPorts } from '@sluice/node-sdk';

/** What clients of databases, mail and files are given of the world outside. */
export type ConnectPort = Pick<CredentialPorts, 'connect'>;

/** Milliseconds for greeting and login, where a client of a library keeps a time of its own. */
export const loginTimeoutMs = 15_000;

/** A guarded connection that ends when the signal fires, which the client above it then notices. */
export async function openSocket(ports: ConnectPort, host: string, port: number, options: ConnectOptions): Promise<Socket> {
  const socket = await ports.connect(host, port, options);
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
