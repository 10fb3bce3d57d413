/**
 * Opens a resource under a signal that follows another signal only until the resource is open. From
 * then on, only the listener's `close` ends it, so that events in flight can still be acknowledged.
 */
export async function whileOpening<T>(signal: AbortSignal, open: (signal: AbortSignal) => Promise<T>): Promise<T> {
  signal.throwIfAborted();
  const opening = new AbortController();
  const abort = () => opening.abort(signal.reason);
  signal.addEventListener('abort', abort, { once: true });
  try {
    return await open(opening.signal);
  } finally {
    signal.removeEventListener('abort', abort);
  }
}
