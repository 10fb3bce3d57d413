import type { NodeRun } from '../../data/executions.ts';

/** A failed try that the node run repeated. */
interface FailedTry {
  /** Milliseconds since the epoch. */
  startTime: number;
  /** Milliseconds. */
  executionTime: number;
  message: string;
}

/** The tries before the last. Entries of another shape, which nodes may set, are ignored. */
export function failedTriesOf({ metadata }: NodeRun): readonly FailedTry[] {
  const tries = metadata?.['failedTries'];
  return Array.isArray(tries) ? tries.filter(isFailedTry) : [];
}

function isFailedTry(entry: Partial<FailedTry> | null): entry is FailedTry {
  return Number.isFinite(entry?.startTime) && Number.isFinite(entry?.executionTime) && typeof entry?.message === 'string';
}
