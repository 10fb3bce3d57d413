import type { Socket } from 'node:net';
import { Duplex } from 'node:stream';
import { ByteBudget } from '../shared/byte-budget.ts';

/**
 * A stream in place of a socket that is not there yet: for libraries that want one at once. It reads and writes once `open` gives the socket, tells
 * `onConnect` then, and ends with it; it fails with what `open` rejects with.
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
    // The constructor has not returned: what the class keeps is not there before the next turn.
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
    // An end that nobody announced is an error: a library that only listens to those two would wait on.
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

  /** Tells that an answer is complete: what a listener reads is bounded for each of them, not in all. */
  refill(): void {
    this.#budget.refill();
  }

  /** Sockets of the library let a process end; those of ours are closed. */
  unref(): this {
    return this;
  }
}
