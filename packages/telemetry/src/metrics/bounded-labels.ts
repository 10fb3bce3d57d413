/** Limits the values of a label to the first `max` distinct values; all others become `other`. */
export class BoundedLabels {
  readonly #known = new Set<string>();
  readonly #max: number;

  constructor(max: number) {
    this.#max = max;
  }

  of(value: string): string {
    if (this.#known.has(value)) return value;
    if (this.#known.size >= this.#max) return 'other';
    this.#known.add(value);
    return value;
  }
}
