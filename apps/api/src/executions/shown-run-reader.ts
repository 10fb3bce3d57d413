import type { RunDataRepository } from '@sluice/db';
import { dataSize, type ExecutionId, MemoryBudget, type MemoryShare } from '@sluice/domain';

/** Reads node runs for responses. Concurrent large reads are limited by the process's memory. */
export class ShownRunReader {
  readonly #runData: Pick<RunDataRepository, 'readShownRuns'>;
  readonly #budget: MemoryBudget;
  /** Memory shares by response signal. */
  readonly #shares = new WeakMap<AbortSignal, MemoryShare>();

  constructor(runData: Pick<RunDataRepository, 'readShownRuns'>, budget = MemoryBudget.ofProcess()) {
    this.#runData = runData;
    this.#budget = budget;
  }

  /** The node runs of an execution. Until `closed` fires, the response may have them in memory. */
  async read(id: ExecutionId, closed: AbortSignal): ReturnType<RunDataRepository['readShownRuns']> {
    const runs = await this.#runData.readShownRuns(id, (bytes) => this.#shareOf(closed).reserve(dataSize(bytes)));
    this.#shares.get(closed)?.hold(dataSize(runs.bytes));
    return runs;
  }

  #shareOf(closed: AbortSignal): MemoryShare {
    closed.throwIfAborted();
    const openShare = this.#shares.get(closed);
    if (openShare) return openShare;
    const share = this.#budget.open(closed);
    closed.addEventListener('abort', () => share[Symbol.dispose](), { once: true });
    this.#shares.set(closed, share);
    return share;
  }
}
