/** Caches the result for `ms` milliseconds. A failure is not cached. */
export function servingFor<T>(ms: number, ask: () => Promise<T>): () => Promise<T> {
  let result: Promise<T> | undefined;
  let askedAt = 0;
  return () => {
    if (result && performance.now() - askedAt < ms) return result;
    askedAt = performance.now();
    const asked = ask();
    result = asked;
    asked.catch(() => {
      if (result === asked) result = undefined;
    });
    return asked;
  };
}
