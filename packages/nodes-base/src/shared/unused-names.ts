/**
 * Returns each name once; a name that is already used gets a number. Takes linear time, regardless
 * of how often a name is requested.
 */
export class UnusedNames {
  readonly #numbered: (name: string, count: number) => string;
  readonly #used = new Set<string>();
  /** Name → first count that may be unused. */
  readonly #counts = new Map<string, number>();

  /** @param numbered returns a different name for each count, from 1 on. */
  constructor(numbered: (name: string, count: number) => string) {
    this.#numbered = numbered;
  }

  take(name: string): string {
    let unused = name;
    let count = this.#counts.get(name) ?? 1;
    while (this.#used.has(unused)) {
      unused = this.#numbered(name, count);
      count += 1;
    }
    this.#counts.set(name, count);
    this.#used.add(unused);
    return unused;
  }
}
