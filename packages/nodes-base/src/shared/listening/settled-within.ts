/** Milliseconds that a closed listener gives to work in progress. */
const farewellMs = 500;

/** Waits until the work settles or the time is over. Never rejects. */
export async function settledWithin(work: Promise<unknown>, timeoutMs = farewellMs): Promise<void> {
  const { promise: over, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, timeoutMs);
  try {
    await Promise.race([work, over]);
  } catch {
    // The caller that started the work handles its error.
  } finally {
    clearTimeout(timer);
  }
}
