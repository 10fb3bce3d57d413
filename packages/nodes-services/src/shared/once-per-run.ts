/** Values that all items of a run share, such as the fields of a table. */
export class OncePerRun<T> {
  readonly #runs = new WeakMap<object, Map<string, Promise<T>>>();

  /**
   * The value of a key, read once per run. A failure belongs to the item that reads: the next item reads
   * again. `run`: the context of the run.
   */
  get(run: object, key: string, read: () => Promise<T>): Promise<T> {
    const values = this.#runs.get(run) ?? new Map<string, Promise<T>>();
    this.#runs.set(run, values);
    const known = values.get(key);
    if (known) return known;
    const value = read();
    values.set(key, value);
    value.catch(() => values.delete(key));
    return value;
  }
}
