/**
 * Waiting entries, with a queue per owner. The queues are served in turns, so that a long queue
 * delays only itself; within a queue, the first entry that may go is served.
 */
export class FairQueue<T> {
  /** Owner → its queue. The next owner to serve comes first. No queue is empty. */
  readonly #lines = new Map<string, T[]>();

  add(owner: string, entry: T): void {
    const line = this.#lines.get(owner);
    if (line) line.push(entry);
    else this.#lines.set(owner, [entry]);
  }

  /** Returns false if the entry is no longer queued. */
  remove(owner: string, entry: T): boolean {
    const line = this.#lines.get(owner);
    const place = line?.indexOf(entry) ?? -1;
    if (!line || place < 0) return false;
    line.splice(place, 1);
    if (line.length === 0) this.#lines.delete(owner);
    return true;
  }

  /** Removes the next entry that may go; its owner then comes last. */
  next(mayGo: (entry: T) => boolean): T | undefined {
    for (const [owner, line] of this.#lines) {
      const place = line.findIndex(mayGo);
      if (place < 0) continue;
      const [entry] = line.splice(place, 1);
      this.#lines.delete(owner);
      if (line.length > 0) this.#lines.set(owner, line);
      return entry;
    }
    return undefined;
  }

  /** Removes all entries. */
  drain(): T[] {
    const entries = [...this.#lines.values()].flat();
    this.#lines.clear();
    return entries;
  }
}
