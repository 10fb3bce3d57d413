/**
 * Resolves to false after `ms`: the timeout side of a race with a reply that may never come. A
 * reply that is already in a socket, because our event loop was busy, is read first. Does not keep
 * the process alive.
 */
export function silence(ms: number): Promise<false> {
  return new Promise((resolve) => {
    setTimeout(() => setImmediate(() => setImmediate(() => resolve(false))), ms).unref();
  });
}
