import { settledWithin } from './settled-within.ts';

/** Work that a listener has started but not finished. */
interface PendingWork {
  /** Returns its argument. */
  add<T>(work: Promise<T>): Promise<T>;
  /** Waits a short time for all work. Never rejects. */
  settled(): Promise<void>;
}

export function pendingWork(): PendingWork {
  const pending = new Set<Promise<unknown>>();
  return {
    add(work) {
      pending.add(work);
      const done = () => pending.delete(work);
      work.then(done, done);
      return work;
    },
    settled: () => settledWithin(Promise.allSettled(pending)),
  };
}
