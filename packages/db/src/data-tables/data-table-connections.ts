import { Slots, UnavailableError } from '@sluice/domain';

/**
 * Connections that operations on data tables use at once. Filters of users may keep one busy until its statement
 * times out, and changes wait for the lock of their table. So they never use the whole pool, and one project
 * uses all of them but one at most.
 */
export class DataTableConnections {
  readonly #slots: Slots;
  readonly #patienceMs: number;

  /** `patienceMs`: milliseconds that an operation waits for others of its project. */
  constructor(count = 3, patienceMs = 10_000) {
    this.#slots = new Slots(count);
    this.#patienceMs = patienceMs;
  }

  /** Does the work when the project may use another connection. Throws `UnavailableError` if that takes too long. */
  async use<T>(projectId: string, work: () => Promise<T>): Promise<T> {
    const tooLong = new AbortController();
    const giveUp = () => tooLong.abort(new UnavailableError('the data tables of the project are busy'));
    const timer = setTimeout(giveUp, this.#patienceMs);
    const release = await this.#slots.take(projectId, tooLong.signal).finally(() => clearTimeout(timer));
    try {
      return await work();
    } finally {
      release();
    }
  }
}
