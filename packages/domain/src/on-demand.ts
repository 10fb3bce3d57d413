/** Something that is made when it is first asked for, once; after a failure, anew. */
export class OnDemand<T> {
  readonly #make: () => Promise<T>;
  #made: T | undefined;
  #making: Promise<T> | undefined;

  constructor(make: () => Promise<T>) {
    this.#make = make;
  }

  /** `undefined`: nobody has asked for it yet. */
  get made(): T | undefined {
    return this.#made;
  }

  async get(): Promise<T> {
    this.#making ??= this.#make();
    try {
      this.#made = await this.#making;
      return this.#made;
    } catch (error) {
      this.#making = undefined;
      throw error;
    }
  }
}
