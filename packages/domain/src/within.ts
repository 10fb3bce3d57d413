/**
 * Result of `work`, or `undefined` if it does not settle within `ms` or before a signal fires.
 * Rejects as `work` does until then; later failures are ignored.
 */
export async function within<T>(ms: number, work: Promise<T>, ...signals: AbortSignal[]): Promise<T | undefined> {
  work.catch(() => undefined);
  const { promise: over, resolve } = Promise.withResolvers<undefined>();
  const onAbort = () => resolve(undefined);
  const timer = setTimeout(onAbort, ms);
  const signal = AbortSignal.any(signals);
  if (signal.aborted) onAbort();
  signal.addEventListener('abort', onAbort, { once: true });
  try {
    return await Promise.race([work, over]);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', onAbort);
  }
}
