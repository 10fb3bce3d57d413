import { Slots } from '@sluice/domain';
import { takeInTime } from '../connection/take-in-time.ts';

/**
 * Connections that operations on data tables use at once. User filters may keep a connection busy
 * until its statement times out, and changes wait for their table's lock. So these operations never
 * use the whole pool, and at least one of their connections is left to other projects.
 */
export class DataTableConnections {
  readonly #slots: Slots;
  readonly #patienceMs: number;

  /** `patienceMs`: milliseconds that an operation waits for others of its project. */
  constructor(count = 3, patienceMs = 10_000) {
    this.#slots = new Slots(count);
    this.#patienceMs = patienceMs;
  }

  /**
   * Does the work when the project may use another connection. Throws `UnavailableError` if that
   * takes too long.
   */
  async use<T>(projectId: string, work: () => Promise<T>): Promise<T> {
    const limit = { patienceMs: this.#patienceMs, message: 'the data tables of the project are busy' };
    const release = await takeInTime(this.#slots, projectId, limit);
    try {
      return await work();
    } finally {
      release();
    }
  }
}
