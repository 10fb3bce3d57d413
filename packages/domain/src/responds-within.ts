/**
 * Whether a server responds within `ms`: the value of `reply`, or false if it is late. A reply that is
 * already in a socket, because our event loop was busy, is read first. Does not keep the process alive.
 */
export async function respondsWithin(ms: number, reply: Promise<boolean>): Promise<boolean> {
  const { promise: late, resolve } = Promise.withResolvers<false>();
  const timer = setTimeout(() => setImmediate(() => setImmediate(() => resolve(false))), ms).unref();
  try {
    return await Promise.race([reply, late]);
  } finally {
    clearTimeout(timer);
  }
}
