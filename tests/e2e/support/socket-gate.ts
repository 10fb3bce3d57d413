import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';

/**
 * A loopback TCP port that forwards to a unix socket, for clients that support hosts and ports
 * only.
 */
export class SocketGate {
  readonly #server: Server;
  readonly #open = new Set<Socket>();

  private constructor(path: string) {
    this.#server = createServer((near) => {
      const far = connect(path);
      for (const [socket, other] of [
        [near, far],
        [far, near],
      ] as const) {
        this.#open.add(socket);
        socket.on('error', () => undefined);
        socket.once('close', () => {
          this.#open.delete(socket);
          other.destroy();
        });
        socket.pipe(other);
      }
    });
  }

  static async start(path: string): Promise<SocketGate> {
    const gate = new SocketGate(path);
    gate.#server.listen(0, '127.0.0.1');
    await once(gate.#server, 'listening');
    return gate;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  async stop(): Promise<void> {
    for (const socket of this.#open) socket.destroy();
    this.#server.close();
  }
}
