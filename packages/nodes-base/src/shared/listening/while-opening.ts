/**
 * Opens something under a signal that follows another one only until it is open: what a listener has then, its `close` ends, so that events that are under
 * way can still be acknowledged.
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
