/**
 * What waits, in a line for each owner. The lines are served in turns, so that a long one holds up nobody but itself; within a line the
 * first that may go is served.
 */
export class FairQueue<T> {
  /** Owner → its line; the owner whose turn is next comes first. No line is empty. */
  readonly #lines = new Map<string, T[]>();

  add(owner: string, entry: T): void {
    const line = this.#lines.get(owner);
    if (line) line.push(entry);
    else this.#lines.set(owner, [entry]);
  }

  /** False: it is not there any more. */
  remove(owner: string, entry: T): boolean {
    const line = this.#lines.get(owner);
    const place = line?.indexOf(entry) ?? -1;
    if (!line || place < 0) return false;
    line.splice(place, 1);
    if (line.length === 0) this.#lines.delete(owner);
    return true;
  }

  /** Takes out the next one that may go; its owner comes last from then on. */
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

  /** Takes out everything. */
  drain(): T[] {
    const entries = [...this.#lines.values()].flat();
    this.#lines.clear();
    return entries;
  }
}
