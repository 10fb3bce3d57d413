/** Values that all items in a run share, such as a table's fields. */
export class OncePerRun<T> {
  readonly #runs = new WeakMap<object, Map<string, Promise<T>>>();

  /**
   * A key's value, read once per run. A failure belongs to the item that reads: the next item reads
   * again. `run`: the run's context.
   */
  get(run: object, key: string, read: () => Promise<T>): Promise<T> {
    const values = this.#runs.get(run) ?? new Map<string, Promise<T>>();
    this.#runs.set(run, values);
    const cached = values.get(key);
    if (cached) return cached;
    const value = read();
    values.set(key, value);
    value.catch(() => values.delete(key));
    return value;
  }
}
