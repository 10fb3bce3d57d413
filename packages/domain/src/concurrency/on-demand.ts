/** A value that is made once, on the first request; after a failure, it is made again. */
export class OnDemand<T> {
  readonly #make: () => Promise<T>;
  #current: T | undefined;
  #making: Promise<T> | undefined;

  constructor(make: () => Promise<T>) {
    this.#make = make;
  }

  /** `undefined`: not requested yet. */
  get current(): T | undefined {
    return this.#current;
  }

  async get(): Promise<T> {
    this.#making ??= this.#make();
    try {
      this.#current = await this.#making;
      return this.#current;
    } catch (error) {
      this.#making = undefined;
      throw error;
    }
  }
}
