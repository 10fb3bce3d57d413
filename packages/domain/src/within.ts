/**
 * Result of `work`, or `undefined` if it does not settle within `ms` or before a signal fires.
 * Rejects as `work` does until then; later failures are ignored. When the time is over, a response
 * that is still unread in a socket, because the event loop was busy, is read first.
 */
export async function within<T>(ms: number, work: Promise<T>, ...signals: AbortSignal[]): Promise<T | undefined> {
  work.catch(() => undefined);
  const { promise: over, resolve } = Promise.withResolvers<undefined>();
  const end = () => resolve(undefined);
  const timer = setTimeout(() => setImmediate(() => setImmediate(end)), ms);
  for (const signal of signals) {
    if (signal.aborted) end();
    signal.addEventListener('abort', end, { once: true });
  }
  try {
    return await Promise.race([work, over]);
  } finally {
    clearTimeout(timer);
    for (const signal of signals) signal.removeEventListener('abort', end);
  }
}
