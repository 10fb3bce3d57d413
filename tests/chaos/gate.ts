import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, Socket } from 'node:net';

interface Pair {
  near: Socket;
  far: Socket;
}

/**
 * A loopback TCP proxy of a server on a Unix socket that can break connections as networks do.
 * Clients are on the near side, the server on the far side.
 */
export class Gate {
  readonly #server: Server;
  /** Working connections. */
  readonly #pairs = new Set<Pair>();
  /** Client sockets of half-open connections. */
  readonly #abandoned = new Set<Socket>();
  #path: string | undefined;
  #partitioned = false;

  private constructor(path: string | undefined) {
    this.#path = path;
    this.#server = createServer((near) => this.#accept(near));
  }

  /** Refuses connections if there is no path. */
  static async start(path?: string): Promise<Gate> {
    const gate = new Gate(path);
    gate.#server.listen(0, '127.0.0.1');
    await once(gate.#server, 'listening');
    return gate;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  /** Routes new connections to another server, or refuses them. */
  leadTo(path: string | undefined): void {
    this.#path = path;
  }

  /** Resets all connections. */
  cut(): void {
    for (const { near, far } of this.#pairs) {
      near.resetAndDestroy();
      far.destroy();
    }
  }

  /**
   * Makes all connections half-open: closes the server side without notifying clients, and discards
   * what they send. New connections work.
   */
  halfOpen(): void {
    for (const pair of this.#pairs) {
      this.#pairs.delete(pair);
      const { near, far } = pair;
      near.unpipe(far);
      far.unpipe(near);
      this.#abandoned.add(near.resume());
      far.removeAllListeners('close').destroy();
    }
  }

  /** Holds back all data and new connections, as a network partition does. */
  partition(): void {
    this.#partitioned = true;
    for (const { near, far } of this.#pairs) {
      near.unpipe(far).pause();
      far.unpipe(near).pause();
    }
  }

  /** Ends the partition and delivers what was held back. */
  heal(): void {
    this.#partitioned = false;
    for (const pair of this.#pairs) {
      if (pair.far.pending) this.#connect(pair.far);
      join(pair);
    }
  }

  async stop(): Promise<void> {
    for (const { near, far } of this.#pairs) {
      near.destroy();
      far.destroy();
    }
    for (const near of this.#abandoned) near.destroy();
    this.#server.close();
  }

  #accept(near: Socket): void {
    const far = new Socket();
    if (!this.#partitioned) this.#connect(far);
    const pair = { near, far };
    this.#pairs.add(pair);
    const end = () => {
      this.#pairs.delete(pair);
      this.#abandoned.delete(near);
      near.destroy();
      far.destroy();
    };
    for (const socket of [near, far]) socket.on('error', () => undefined).once('close', end);
    if (!this.#partitioned) join(pair);
  }

  #connect(far: Socket): void {
    if (this.#path === undefined) far.destroy();
    else far.connect(this.#path);
  }
}

function join(pair: Pair): void {
  pair.near.pipe(pair.far);
  pair.far.pipe(pair.near);
}
