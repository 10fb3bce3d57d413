import type { Socket } from 'node:net';
import { Duplex } from 'node:stream';
import { ByteBudget } from '../shared/byte-budget.ts';

/**
 * A stream that replaces a socket until `open` provides it, for libraries that need a socket
 * immediately. It then calls `onConnect`, reads and writes through the socket, and ends with it.
 * Fails with the rejection of `open`.
 */
export class ConnectingSocket extends Duplex {
  readonly #open: () => Promise<Socket>;
  readonly #onConnect: () => void;
  readonly #budget = new ByteBudget((error) => this.destroy(error));
  #socket: Socket | undefined;

  constructor(open: () => Promise<Socket>, onConnect: () => void) {
    super();
    this.#open = open;
    this.#onConnect = onConnect;
  }

  override _construct(done: (error?: Error | null) => void): void {
    // The class fields are set after this constructor returns, so wait for the next tick.
    process.nextTick(() => this.#connect().then(() => done(), done));
  }

  async #connect(): Promise<void> {
    const socket = await this.#open();
    this.#socket = socket;
    if (this.destroyed) return void socket.destroy();
    socket.on('data', (chunk) => {
      this.#budget.spend(chunk.length);
      if (!this.destroyed && !this.push(chunk)) socket.pause();
    });
    socket.once('end', () => this.push(null));
    socket.once('error', (error) => this.destroy(error));
    // A close without an end is an error: a library that only listens for `end` and `error` would
    // wait forever.
    socket.once('close', () => this.destroy(socket.readableEnded ? undefined : new Error('the connection was closed')));
    process.nextTick(this.#onConnect);
  }

  override _read(): void {
    this.#socket?.resume();
  }

  override _write(chunk: Buffer, _encoding: string, done: (error?: Error | null) => void): void {
    this.#socket?.write(chunk, done);
  }

  override _final(done: () => void): void {
    this.#socket?.end(done);
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    this.#socket?.destroy();
    done(error);
  }

  /** Marks a message as complete: for listeners, the byte budget applies to each message. */
  refill(): void {
    this.#budget.refill();
  }

  /**
   * Exists because libraries call it. Our sockets are always closed, so they need not be
   * unreferenced.
   */
  unref(): this {
    return this;
  }
}
