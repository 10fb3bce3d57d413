import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';

/**
 * Result of `work`, or `undefined` if it does not settle within `ms` or before a signal fires.
 * Rejects as `work` does until then; later failures are ignored. When the time is over, a response
 * that is still unread in a socket, because the event loop was busy, is read first.
 */
export function within<T>(ms: number, work: Promise<T>, ...signals: AbortSignal[]): Promise<T | undefined> {
  const { promise, resolve, reject } = Promise.withResolvers<T | undefined>();
  const end = () => resolve(undefined);
  const timer = setTimeout(() => setImmediate(() => setImmediate(end)), ms);
  for (const signal of signals) {
    if (signal.aborted) end();
    signal.addEventListener('abort', end, { once: true });
  }
  // Cheaper than `Promise.race`: this runs for every request.
  const release = () => {
    clearTimeout(timer);
    for (const signal of signals) signal.removeEventListener('abort', end);
  };
  promise.then(release, release);
  work.then(resolve, reject);
  return promise;
}

/** Milliseconds between two checks of the event loop. */
const tickMs = 50;

/**
 * Result of `work`, even if it ignores signals: rejects after `timeoutMs` with a timeout error; the
 * work then continues unobserved. Time in which the event loop is blocked does not count: the
 * response may have arrived but not been read.
 */
export async function inTime<T>(work: Promise<T>, timeoutMs: number): Promise<T> {
  const { promise: late, reject } = Promise.withResolvers<never>();
  let ticksLeft = Math.ceil(timeoutMs / tickMs);
  const timer = setInterval(
    () => {
      ticksLeft -= 1;
      if (ticksLeft === 0) reject(new Error(`no response within ${timeoutMs / 1_000} seconds`));
    },
    Math.min(tickMs, timeoutMs),
  ).unref();
  try {
    return await Promise.race([work, late]);
  } finally {
    clearInterval(timer);
  }
}

/** Resolves when the signal fires, or at once if it has already fired. */
export async function aborted(signal: AbortSignal): Promise<void> {
  if (!signal.aborted) await once(signal, 'abort');
}

/** Resolves after `ms` milliseconds, or as soon as the signal fires. */
export async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await delay(ms, undefined, { signal }).catch(() => undefined);
}

/**
 * Result of a promise, unless the signal fires first: then it rejects with the reason, the work
 * continues unobserved, and its failure is ignored.
 */
export async function untilAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  work.catch(() => undefined);
  signal.throwIfAborted();
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  const onAbort = () => reject(signal.reason);
  signal.addEventListener('abort', onAbort, { once: true });
  try {
    return await Promise.race([work, aborted]);
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}
