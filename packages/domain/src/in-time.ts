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
