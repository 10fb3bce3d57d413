/**
 * Hands out each name once; a name that is taken gets a number. Takes linear time, however often one
 * name is asked for.
 */
export class UnusedNames {
  readonly #numbered: (name: string, count: number) => string;
  readonly #used = new Set<string>();
  /** Name → count from which on it may be unused. */
  readonly #counts = new Map<string, number>();

  /** @param numbered gives each count, from 1 on, a name of its own. */
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
