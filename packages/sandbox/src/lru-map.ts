/** A cache of bounded size that forgets what was used longest ago. */
export class LruMap<K, V> {
  readonly #entries = new Map<K, V>();
  readonly #capacity: number;

  constructor(capacity: number) {
    this.#capacity = capacity;
  }

  /** The cached value, or the one that `make` gives; nothing is kept when it throws. */
  getOrAdd(key: K, make: () => V): V {
    const value = this.#entries.has(key) ? (this.#entries.get(key) as V) : make();
    this.#entries.delete(key);
    this.#entries.set(key, value);
    if (this.#entries.size > this.#capacity) this.#entries.delete(this.#entries.keys().next().value as K);
    return value;
  }
}
