import type { NodeRun } from '../../data/executions.ts';

/** A failed try that the node run repeated. */
interface FailedTry {
  /** Milliseconds since the epoch. */
  startTime: number;
  /** Milliseconds. */
  executionTime: number;
  message: string;
}

/** The tries before the last one. */
export function failedTriesOf({ metadata }: NodeRun): readonly FailedTry[] {
  const tries = metadata?.['failedTries'];
  return Array.isArray(tries) ? (tries as FailedTry[]) : [];
}
