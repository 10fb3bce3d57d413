import { connect, createServer, type Socket } from 'node:net';
import { TLSSocket } from 'node:tls';
import { type LoopbackServer, listening, selfSigned } from '@sluice/http-client/testing';

/** A server that repeatedly sends the same bytes at the test's request. */
export interface FloodingServer extends LoopbackServer {
  /** Sends the bytes as often as the clients accept them, until they disconnect, or `times`. */
  flood(bytes: Buffer, times?: number): void;
  /** Number of bytes that clients have received since the flood began. */
  takenBytes(): number;
  /** Number of connections that have ended. */
  ended(): number;
}

/** Relays to a server that accepts logins; its flood is added to that server's own data. */
export async function floodingRelay(behind: LoopbackServer): Promise<FloodingServer> {
  const floods = new Floods();
  const relay = await listening(
    createServer({ noDelay: true }, (socket) => {
      const inner = connect({ host: '127.0.0.1', port: behind.port, noDelay: true });
      inner.on('error', () => socket.destroy());
      socket.once('close', () => inner.destroy());
      inner.pipe(socket).pipe(inner);
      floods.add(socket);
    }),
  );
  const close = async () => void (await Promise.all([relay.close(), behind.close()]));
  return { ...relay, ...floods.control(), close };
}

/**
 * A server that responds to each packet with the test's bytes.
 * @param startsTls if set, bytes that respond to the first packet, after which TLS starts.
 */
export async function scriptedServer(respond: (packet: Buffer) => Buffer, startsTls?: Buffer): Promise<FloodingServer> {
  const floods = new Floods();
  const serve = (socket: Socket) => {
    floods.add(socket);
    socket.on('data', (packet: Buffer) => socket.write(respond(packet)));
  };
  const server = createServer({ noDelay: true }, (socket) => {
    if (!startsTls) return serve(socket);
    socket.once('data', () => {
      socket.write(startsTls);
      const secure = new TLSSocket(socket, { isServer: true, ...selfSigned });
      secure.on('error', () => socket.destroy());
      serve(secure);
    });
  });
  return { ...(await listening(server)), ...floods.control() };
}

class Floods {
  readonly #sockets = new Set<Socket>();
  #takenBytes = 0;
  #ended = 0;

  add(socket: Socket): void {
    this.#sockets.add(socket);
    socket.once('close', () => {
      this.#sockets.delete(socket);
      this.#ended++;
    });
  }

  control(): Pick<FloodingServer, 'flood' | 'takenBytes' | 'ended'> {
    const flood = (bytes: Buffer, times = Number.POSITIVE_INFINITY) => this.#flood(bytes, times);
    return { flood, takenBytes: () => this.#takenBytes, ended: () => this.#ended };
  }

  #flood(bytes: Buffer, times: number): void {
    for (const socket of this.#sockets) {
      let remaining = times;
      const send = () => {
        if (remaining-- > 0 && !socket.destroyed) socket.write(bytes, (error) => error || this.#onTaken(bytes.length, send));
      };
      send();
    }
  }

  #onTaken(bytes: number, next: () => void): void {
    this.#takenBytes += bytes;
    next();
  }
}
