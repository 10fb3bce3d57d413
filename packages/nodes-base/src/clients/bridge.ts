import { randomUUID, timingSafeEqual } from 'node:crypto';
import { once } from 'node:events';
import type { AddressInfo, Server, Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { type ConnectPort, openSocket } from './open-socket.ts';

/**
 * A proxy on the loopback interface, for one client of a library that supports proxies but not
 * custom sockets.
 */
export interface Bridge {
  host: string;
  port: number;
  user: string;
  password: string;
  /**
   * Rejects with the error of the first connection that failed to open, or with the signal's
   * reason; never resolves.
   */
  failed: Promise<never>;
  /** Ends all connections of the bridge. */
  close(): Promise<void>;
}

/** Dependencies of a proxy protocol. */
export interface BridgeSide {
  isLogin(user: string, password: string): boolean;
  /** Opens a connection through the guarded port; rejects with the port's errors. */
  connect(host: string, port: number): Promise<Socket>;
}

/** Opens a bridge that serves its clients the server's protocol. */
export async function openBridge(
  ports: ConnectPort,
  signal: AbortSignal,
  serverFor: (side: BridgeSide) => Server,
): Promise<Bridge> {
  const [user, password] = [randomUUID(), randomUUID()];
  const sockets = new Set<Socket>();
  const { promise: failed, reject } = Promise.withResolvers<never>();
  failed.catch(() => {});
  const onAbort = () => reject(signal.reason);
  signal.addEventListener('abort', onAbort, { once: true });
  const keep = (socket: Socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
    socket.on('error', () => socket.destroy());
  };
  const server = serverFor({
    isLogin: (...login) => isSame(login.join(':'), `${user}:${password}`),
    async connect(host, port) {
      try {
        const outer = await openSocket(ports, host, port, { signal });
        keep(outer);
        return outer;
      } catch (error) {
        reject(error);
        throw error;
      }
    },
  });
  server.on('connection', keep);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    host: '127.0.0.1',
    port: (server.address() as AddressInfo).port,
    user,
    password,
    failed,
    async close() {
      signal.removeEventListener('abort', onAbort);
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Pipes bytes both ways. When one side ends, the other side ends too. */
export function join(inner: Duplex, outer: Socket): void {
  if (inner.destroyed) return void outer.destroy();
  inner.pipe(outer).pipe(inner);
  inner.once('close', () => outer.destroy());
  outer.once('close', () => inner.destroy());
}

function isSame(actual: string, expected: string): boolean {
  const [a, b] = [Buffer.from(actual), Buffer.from(expected)];
  return a.length === b.length && timingSafeEqual(a, b);
}
