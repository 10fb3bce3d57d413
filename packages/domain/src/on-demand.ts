/** A value that is made once, on the first request; after a failure, it is made again. */
export class OnDemand<T> {
  readonly #make: () => Promise<T>;
  #made: T | undefined;
  #making: Promise<T> | undefined;

  constructor(make: () => Promise<T>) {
    this.#make = make;
  }

  /** `undefined`: not requested yet. */
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
