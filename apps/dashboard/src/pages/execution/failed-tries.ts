import type { NodeRun } from '../../data/executions.ts';

/** A try of a node run that another one followed. */
interface FailedTry {
  /** Milliseconds since the epoch. */
  startTime: number;
  executionTime: number;
  message: string;
}

/** The tries before the last one. */
export function failedTriesOf({ metadata }: NodeRun): readonly FailedTry[] {
  const tries = metadata?.['failedTries'];
  return Array.isArray(tries) ? (tries as FailedTry[]) : [];
}
