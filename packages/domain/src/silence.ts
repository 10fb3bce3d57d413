/**
 * Resolves to false after `ms`: the other side of a race with an answer that may never come. An answer that waits in a socket
 * because our own event loop was busy is read first. Keeps no process alive.
 */
export function silence(ms: number): Promise<false> {
  return new Promise((resolve) => {
    setTimeout(() => setImmediate(() => setImmediate(() => resolve(false))), ms).unref();
  });
}
