import type { RunDataRepository } from '@sluice/db';
import { dataSize, type ExecutionId, MemoryBudget, type MemoryReservation } from '@sluice/domain';

/** Reads node runs for responses. Concurrent large reads are limited by the process's memory. */
export class ShownRunReader {
  readonly #runData: Pick<RunDataRepository, 'readShownRuns'>;
  readonly #budget: MemoryBudget;
  /** By the signal of a closed response. */
  readonly #reservations = new WeakMap<AbortSignal, MemoryReservation>();

  constructor(runData: Pick<RunDataRepository, 'readShownRuns'>, budget = MemoryBudget.ofProcess()) {
    this.#runData = runData;
    this.#budget = budget;
  }

  /** The node runs of an execution. Until `closed` fires, the response may have them in memory. */
  async read(id: ExecutionId, closed: AbortSignal): ReturnType<RunDataRepository['readShownRuns']> {
    const runs = await this.#runData.readShownRuns(id, (bytes) => this.#reservationOf(closed).reserve(dataSize(bytes)));
    this.#reservations.get(closed)?.retain(dataSize(runs.bytes));
    return runs;
  }

  #reservationOf(closed: AbortSignal): MemoryReservation {
    closed.throwIfAborted();
    const openReservation = this.#reservations.get(closed);
    if (openReservation) return openReservation;
    const reservation = this.#budget.open(closed);
    closed.addEventListener('abort', () => reservation[Symbol.dispose](), { once: true });
    this.#reservations.set(closed, reservation);
    return reservation;
  }
}
