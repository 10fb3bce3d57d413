import { untilAborted } from './until-aborted.ts';

/**
 * What `work` gives, also where it does not look at any signal: after `timeoutMs` it rejects with an error that says so, and the work goes on unwatched.
 */
export async function inTime<T>(work: Promise<T>, timeoutMs: number): Promise<T> {
  const signal = AbortSignal.timeout(timeoutMs);
  try {
    return await untilAborted(work, signal);
  } catch (error) {
    throw signal.aborted ? new Error(`no answer within ${timeoutMs / 1_000} seconds`) : error;
  }
}
