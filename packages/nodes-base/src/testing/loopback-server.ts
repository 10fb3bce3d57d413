import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';

/** A server of a test on the loopback. */
export interface LoopbackServer {
  port: number;
  close(): Promise<void>;
}

/** Listens on a free port of the loopback. */
export async function listening(server: Server): Promise<LoopbackServer> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    socket.once('close', () => sockets.delete(socket));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** A server of a protocol of lines: it greets, and answers each line. */
export function lineServer(greeting: string, answer: (line: string) => string): Promise<LoopbackServer> {
  const server = createServer((socket) => {
    let rest = '';
    socket.write(`${greeting}\r\n`);
    socket.on('data', (chunk) => {
      const lines = `${rest}${chunk}`.split('\r\n');
      rest = lines.pop() ?? '';
      for (const line of lines) socket.write(`${answer(line)}\r\n`);
    });
  });
  return listening(server);
}
