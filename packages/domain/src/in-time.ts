import { untilAborted } from './until-aborted.ts';

/**
 * Result of `work`, even if it ignores signals: rejects after `timeoutMs` with an error that says
 * so; the work then continues unobserved.
 */
export async function inTime<T>(work: Promise<T>, timeoutMs: number): Promise<T> {
  const signal = AbortSignal.timeout(timeoutMs);
  try {
    return await untilAborted(work, signal);
  } catch (error) {
    throw signal.aborted ? new Error(`no response within ${timeoutMs / 1_000} seconds`) : error;
  }
}
