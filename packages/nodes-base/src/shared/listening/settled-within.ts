/** Milliseconds that a listener, which is closed, gives to what it has begun. */
const farewellMs = 500;

/** Waits until something has ended, in whichever way, or the time is over. Never rejects. */
export async function settledWithin(work: Promise<unknown>, timeoutMs = farewellMs): Promise<void> {
  const { promise: over, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, timeoutMs);
  try {
    await Promise.race([work, over]);
  } catch {
    // Whoever began it has heard of it.
  } finally {
    clearTimeout(timer);
  }
}
