import { settledWithin } from './settled-within.ts';

/** What a listener has begun and not yet ended. */
export interface PendingWork {
  /** Gives back what it is given. */
  add<T>(work: Promise<T>): Promise<T>;
  /** Waits for all of it, not for long. Never rejects. */
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
