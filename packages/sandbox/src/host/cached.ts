import type QuickLRU from 'quick-lru';

/** The cached value, or the result of `make`, which is then cached. Nothing is cached if `make` throws. */
export function cached<V extends {}>(cache: QuickLRU<string, V>, key: string, make: () => V): V {
  const known = cache.get(key);
  if (known !== undefined) return known;
  const made = make();
  cache.set(key, made);
  return made;
}
