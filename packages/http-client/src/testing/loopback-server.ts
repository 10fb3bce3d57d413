import { once } from 'node:events';
import type { AddressInfo, Server, Socket } from 'node:net';

export interface LoopbackServer {
  port: number;
  /** HTTP URL without a trailing slash. */
  url: string;
  /** Also closes its connections. */
  close(): Promise<void>;
}

/** Listens on a free port of the loopback interface. */
export async function listening(server: Server): Promise<LoopbackServer> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    socket.once('close', () => sockets.delete(socket));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    port,
    url: `http://127.0.0.1:${port}`,
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
