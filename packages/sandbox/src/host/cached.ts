import type QuickLRU from 'quick-lru';

/** The cached value, or the result of `make`, which is then cached unless it throws. */
export function cached<V extends {}>(cache: QuickLRU<string, V>, key: string, make: () => V): V {
  const existing = cache.get(key);
  if (existing !== undefined) return existing;
  const value = make();
  cache.set(key, value);
  return value;
}
