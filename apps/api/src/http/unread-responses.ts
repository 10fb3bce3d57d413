import type { ServerResponse } from 'node:http';
import { AppError } from '@sluice/domain';

/**
 * Characters of large responses that clients have not read yet. A response stays in memory until
 * then, and a client may read slowly for as long as it likes. A user with such a response gets
 * another one only while it holds fewer characters than are free, so that memory remains for others.
 */
export class UnreadResponses {
  readonly #max: number;
  readonly #byUser = new Map<string, number>();
  #total = 0;

  constructor(max: number) {
    this.#max = max;
  }

  /** Counts a response until it is closed. Throws `RATE_LIMITED`. */
  add(userId: string, length: number, response: ServerResponse): void {
    if (response.destroyed) return;
    const held = this.#byUser.get(userId) ?? 0;
    if (held > 0 && held + length > this.#max - this.#total)
      throw new AppError({ code: 'RATE_LIMITED', message: 'this user has not read its other large responses yet' });
    this.#change(userId, length);
    response.once('close', () => this.#change(userId, -length));
  }

  #change(userId: string, by: number): void {
    const held = (this.#byUser.get(userId) ?? 0) + by;
    if (held > 0) this.#byUser.set(userId, held);
    else this.#byUser.delete(userId);
    this.#total += by;
  }
}
