import { AsyncResource } from 'node:async_hooks';
import type { Socket } from 'node:net';
import { Duplex } from 'node:stream';
import { currentMemory } from '@sluice/node-sdk';
import { atPace } from './pace.ts';

/**
 * Number of bytes that a client receives at once; each small message costs some clients ten
 * microseconds.
 */
const pieceBytes = 8 * 1024;

/**
 * A connected socket that delivers small pieces to its reader, at the pace of `atPace`, and none
 * while there is no memory for what the execution has read from it and others. It is not a
 * `Socket`, so Node reads through it even if a library starts TLS on it. It has the socket methods
 * and properties that clients use.
 */
export class PacedSocket extends Duplex {
  readonly connecting = false;
  readonly #socket: Socket;
  readonly #deliver = AsyncResource.bind(() => this.#giveNextPiece());
  readonly #memory = currentMemory();
  #isAsked = false;
  /** Whether it waits for memory. */
  #isPaused = false;
  #left: number;

  /**
   * @param socket connected socket that nothing reads from.
   * @param maxBytes bytes that the server may send in all.
   */
  constructor(socket: Socket, maxBytes = Number.POSITIVE_INFINITY) {
    super({ allowHalfOpen: false, readableHighWaterMark: pieceBytes });
    this.#socket = socket;
    this.#left = maxBytes;
    socket.on('readable', () => this.#isAsked && atPace(this.#deliver));
    socket.once('end', () => this.push(null));
    socket.on('error', (error) => this.destroy(error));
    socket.on('timeout', () => this.emit('timeout'));
    // After the end event, there may still be pieces to read.
    socket.once('close', () => socket.readableEnded || this.destroy());
  }

  override _read(): void {
    if (this.#isAsked) return;
    this.#isAsked = true;
    atPace(this.#deliver);
  }

  /** Without a piece, the next `readable` continues; at the end, this read emits `end`. */
  #giveNextPiece(): void {
    if (!this.#isAsked || this.#isPaused || this.destroyed) return;
    const memoryFree = this.#memory?.receive(0);
    if (memoryFree) return void this.#pause(memoryFree);
    const piece: Buffer | null = this.#socket.read(Math.min(pieceBytes, this.#socket.readableLength));
    if (piece === null) return;
    this.#isAsked = false;
    this.#left -= piece.length;
    if (this.#left < 0) this.destroy(new Error('the server sent too much data'));
    else this.push(piece);
  }

  async #pause(memoryFree: Promise<void>): Promise<void> {
    this.#isPaused = true;
    try {
      await memoryFree;
      this.#isPaused = false;
      atPace(this.#deliver);
    } catch (error) {
      this.destroy(error as Error);
    }
  }

  override _write(chunk: Buffer, _encoding: string, done: (error?: Error | null) => void): void {
    this.#socket.write(chunk, done);
  }

  override _writev(chunks: { chunk: Buffer }[], done: (error?: Error | null) => void): void {
    this.#socket.cork();
    for (const [index, { chunk }] of chunks.entries())
      this.#socket.write(chunk, index === chunks.length - 1 ? done : undefined);
    this.#socket.uncork();
  }

  override _final(done: () => void): void {
    if (this.#socket.writable) this.#socket.end(() => done());
    else done();
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    if (this.#socket.closed) return void done(error);
    this.#socket.once('close', () => done(error)).destroy();
  }

  /** Ends the connection once everything is written. */
  destroySoon(): void {
    if (this.writable) this.end();
    if (this.writableFinished) this.destroy();
    else this.once('finish', () => this.destroy());
  }

  setTimeout(ms: number, onTimeout?: () => void): this {
    this.#socket.setTimeout(ms);
    if (onTimeout && ms > 0) this.once('timeout', onTimeout);
    else if (onTimeout) this.off('timeout', onTimeout);
    return this;
  }

  setNoDelay(noDelay?: boolean): this {
    this.#socket.setNoDelay(noDelay);
    return this;
  }

  setKeepAlive(enable?: boolean, initialDelayMs?: number): this {
    this.#socket.setKeepAlive(enable, initialDelayMs);
    return this;
  }

  ref(): this {
    this.#socket.ref();
    return this;
  }

  unref(): this {
    this.#socket.unref();
    return this;
  }

  get bytesRead(): number {
    return this.#socket.bytesRead;
  }

  get bytesWritten(): number {
    return this.#socket.bytesWritten;
  }

  get remoteAddress(): string | undefined {
    return this.#socket.remoteAddress;
  }

  get remotePort(): number | undefined {
    return this.#socket.remotePort;
  }

  get localAddress(): string | undefined {
    return this.#socket.localAddress;
  }

  get localPort(): number | undefined {
    return this.#socket.localPort;
  }
}
