/** Lets a number of holders in at once; others wait in order. */
export class Slots {
  #free: number;
  readonly #waiting: (() => void)[] = [];

  constructor(count: number) {
    this.#free = count;
  }

  /** Resolves to what gives the slot back; rejects with the signal's reason when it fires before there is one. */
  async take(signal: AbortSignal): Promise<() => void> {
    signal.throwIfAborted();
    if (this.#free > 0) this.#free--;
    else await this.#wait(signal);
    return () => this.#release();
  }

  async #wait(signal: AbortSignal): Promise<void> {
    const turn = Promise.withResolvers<void>();
    const enter = () => turn.resolve();
    const leave = () => {
      const index = this.#waiting.indexOf(enter);
      // Absent: the slot is ours already.
      if (index < 0) return;
      this.#waiting.splice(index, 1);
      turn.reject(signal.reason);
    };
    this.#waiting.push(enter);
    signal.addEventListener('abort', leave, { once: true });
    try {
      await turn.promise;
    } finally {
      signal.removeEventListener('abort', leave);
    }
  }

  #release(): void {
    const next = this.#waiting.shift();
    if (next) next();
    else this.#free++;
  }
}
