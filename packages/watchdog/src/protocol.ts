import type { LeaseTerms } from '@sluice/db/worker-lease-repository';

/** `workerData` of the thread. */
export interface ThreadData {
  /** Name of the process in log lines. */
  name: string;
  logLevel: string;
  /** Milliseconds of silence after which the event loop is considered stuck. */
  stallMs: number;
  /** Null: the process has no lease. */
  lease: { databaseUrl: string; terms: LeaseTerms } | null;
  signs: SharedArrayBuffer;
  inFlight: { fields: readonly string[]; memory: SharedArrayBuffer };
}

/**
 * Messages from the event loop to the thread. `workerId`: the worker whose lease to renew; null: no
 * lease. `endWithinMs`: the thread kills the process after this many milliseconds.
 */
export type ThreadMessage = { workerId: string | null } | { endWithinMs: number };

/** Cells of the shared `BigInt64Array`. */
export const signs = {
  /** Increases while the event loop responds. */
  pulse: 0,
  /** When the thread last renewed polls and listeners, in milliseconds of `monotonicMs`. */
  renewedAt: 1,
} as const;
export const signsBytes = 16;

/**
 * Milliseconds of a clock that all threads of a process share; each thread's `performance.now()`
 * has its own origin.
 */
export function monotonicMs(): number {
  return Number(process.hrtime.bigint() / 1_000_000n);
}
