export interface RestingReadOptions {
  read(): Promise<void>;
  /**
   * The rest after a read, as a multiple of its duration: it limits the share of time spent on
   * reads to one part in this many.
   */
  restFactor: number;
  /** Minimum rest in milliseconds; default 0. */
  minRestMs?: number;
  /** Monotonic clock in milliseconds. */
  now: () => number;
}

/** A read that is repeated on request: one at a time, and with a longer rest the longer it took. */
export class RestingRead {
  readonly #options: RestingReadOptions;
  #endedAt = Number.NEGATIVE_INFINITY;
  #restsUntil = Number.NEGATIVE_INFINITY;
  #reading: Promise<void> | undefined;

  constructor(options: RestingReadOptions) {
    this.#options = options;
  }

  /** Milliseconds since a read last succeeded; infinite if no read has succeeded. */
  get ageMs(): number {
    return this.#options.now() - this.#endedAt;
  }

  get isResting(): boolean {
    return this.#options.now() < this.#restsUntil;
  }

  /**
   * Reads now, or joins the read in flight. Throws the errors of `read`: then, there is no rest.
   */
  repeat(): Promise<void> {
    this.#reading ??= this.#read().finally(() => {
      this.#reading = undefined;
    });
    return this.#reading;
  }

  async #read(): Promise<void> {
    const { read, restFactor, minRestMs = 0, now } = this.#options;
    const startedAt = now();
    await read();
    this.#endedAt = now();
    this.#restsUntil = this.#endedAt + Math.max(minRestMs, (this.#endedAt - startedAt) * restFactor);
  }
}
