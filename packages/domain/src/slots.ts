interface Waiting {
  owner: string;
  enter(): void;
}

/**
 * Admits a limited number of holders at once. An owner holds at most all slots but one, so that the
 * tasks of others always proceed. The least recently served owner is next; its tasks keep their
 * order.
 */
export class Slots {
  readonly #count: number;
  readonly #held = new Map<string, number>();
  readonly #servedAt = new Map<string, number>();
  #waiting: Waiting[] = [];
  #turn = 0;

  constructor(count: number) {
    this.#count = count;
  }

  /** Resolves to a function that releases the slot. Rejects with the signal's reason when it fires before a slot is free. */
  async take(owner: string, signal: AbortSignal): Promise<() => void> {
    signal.throwIfAborted();
    if (this.#mayEnter(owner)) this.#enter(owner);
    else await this.#wait(owner, signal);
    return () => this.#release(owner);
  }

  #mayEnter(owner: string): boolean {
    const total = [...this.#held.values()].reduce((sum, held) => sum + held, 0);
    return total < this.#count && (this.#held.get(owner) ?? 0) < Math.max(1, this.#count - 1);
  }

  #enter(owner: string): void {
    this.#held.set(owner, (this.#held.get(owner) ?? 0) + 1);
    this.#servedAt.set(owner, this.#turn++);
  }

  async #wait(owner: string, signal: AbortSignal): Promise<void> {
    const turn = Promise.withResolvers<void>();
    const waiting: Waiting = { owner, enter: turn.resolve };
    const leave = () => {
      // Absent if the slot was already assigned.
      if (!this.#waiting.includes(waiting)) return;
      this.#waiting = this.#waiting.filter((other) => other !== waiting);
      turn.reject(signal.reason);
    };
    this.#waiting.push(waiting);
    signal.addEventListener('abort', leave, { once: true });
    try {
      await turn.promise;
    } finally {
      signal.removeEventListener('abort', leave);
    }
  }

  #release(owner: string): void {
    const held = (this.#held.get(owner) ?? 1) - 1;
    if (held > 0) this.#held.set(owner, held);
    else this.#held.delete(owner);
    const next = this.#next();
    if (next) {
      this.#waiting = this.#waiting.filter((other) => other !== next);
      this.#enter(next.owner);
      next.enter();
    }
    if (!this.#held.has(owner) && !this.#waiting.some((other) => other.owner === owner)) this.#servedAt.delete(owner);
  }

  #next(): Waiting | undefined {
    let first: Waiting | undefined;
    for (const waiting of this.#waiting) {
      if (this.#mayEnter(waiting.owner) && (!first || this.#lastTurn(waiting) < this.#lastTurn(first))) first = waiting;
    }
    return first;
  }

  #lastTurn({ owner }: Waiting): number {
    return this.#servedAt.get(owner) ?? -1;
  }
}
