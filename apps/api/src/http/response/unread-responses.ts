import type { ServerResponse } from 'node:http';
import { AppError } from '@sluice/domain';
import type { Response } from 'express';
import { clientAddress } from '../request/sender-address.ts';

/**
 * Lengths of large responses that clients have not read yet. A response stays in memory until
 * then, and a client may read slowly for as long as it likes.
 */
export class UnreadResponses {
  readonly #max: number;
  /** Each reader's responses, the oldest first. */
  readonly #byReader = new Map<string, Map<ServerResponse, number>>();
  #total = 0;

  constructor(max: number) {
    this.#max = max;
  }

  /**
   * Counts a response until it is closed. A user with such a response gets another one only while
   * it holds less than is free, so that memory remains for others. Throws `RATE_LIMITED`.
   */
  add(userId: string, length: number, response: ServerResponse): void {
    if (response.destroyed) return;
    const heldBytes = this.#heldBy(userId);
    if (heldBytes > 0 && heldBytes + length > this.#max - this.#total)
      throw new AppError({ code: 'RATE_LIMITED', message: 'this user has not read its other large responses yet' });
    this.#count(userId, length, response);
  }

  /**
   * Counts a response until it is closed. If it does not fit, disconnects others until it does: the
   * oldest response of the reader that holds the most. For responses that cannot be refused,
   * because their workflow has run.
   */
  addFirst(reader: string, length: number, response: ServerResponse): void {
    if (response.destroyed) return;
    while (this.#total > 0 && this.#total + length > this.#max) this.#disconnectOne();
    this.#count(reader, length, response);
  }

  #disconnectOne(): void {
    const readers = [...this.#byReader.keys()].map((reader) => [reader, this.#heldBy(reader)] as const);
    const [largest] = readers.reduce((a, b) => (b[1] > a[1] ? b : a));
    const [oldest] = this.#byReader.get(largest)?.keys() ?? [];
    if (!oldest) return;
    this.#drop(largest, oldest);
    oldest.destroy();
  }

  #heldBy(reader: string): number {
    return [...(this.#byReader.get(reader)?.values() ?? [])].reduce((sum, length) => sum + length, 0);
  }

  #count(reader: string, length: number, response: ServerResponse): void {
    const responses = this.#byReader.get(reader) ?? new Map<ServerResponse, number>();
    this.#byReader.set(reader, responses.set(response, length));
    this.#total += length;
    response.once('close', () => this.#drop(reader, response));
  }

  #drop(reader: string, response: ServerResponse): void {
    const responses = this.#byReader.get(reader);
    this.#total -= responses?.get(response) ?? 0;
    responses?.delete(response);
    if (responses?.size === 0) this.#byReader.delete(reader);
  }
}

/** Maximum number of bytes of large responses that clients without a key have not read yet. */
const anonymous = new UnreadResponses(128 * 1024 * 1024);
/** Up to this length, in bytes, the buffers of a connection hold a response. */
const shortBytes = 64 * 1024;

/** Limits the memory of responses to clients without a key; call it before the bytes are sent. */
export function countUnread(response: Response, length: number): void {
  if (length > shortBytes) anonymous.addFirst(clientAddress(response.req), length, response);
}
