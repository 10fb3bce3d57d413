import { isAppError } from '../errors.ts';
import { groupCommitted } from '../observation.ts';

interface Entry<Input, Output> {
  input: Input;
  resolve(output: Output): void;
  reject(error: unknown): void;
}

export interface GroupCommitOptions<Input> {
  /** Name in metrics; absent if its groups are not counted. */
  name?: string;
  /** Maximum number of writes per group. */
  maxSize?: number;
  /** Weight of a write, in the unit of `maxWeight`. */
  weigh?: (input: Input) => number;
  /** Maximum weight of a group; a single heavier write is sent alone. */
  maxWeight?: number;
  /**
   * With nothing in flight, a write is sent in a microtask, together with writes that the same code
   * adds. Default: at the next turn of the event loop.
   */
  atOnce?: boolean;
  /**
   * Milliseconds between the starts of two groups, read before each group; default: 0. Like
   * Postgres's `commit_delay`, a pause makes groups fewer and larger, which costs the database
   * less. A group of `maxSize` writes does not wait.
   */
  pauseMs?: () => number;
}

/**
 * Collects single writes into groups, each written by one statement (group commit).
 *
 * If nothing is in flight, a write is sent at the next turn of the event loop, so a lone write does
 * not wait. While a statement is in flight, writes collect and are sent together when it returns:
 * the busier the database, the larger the groups. A failed group of several writes is split and
 * retried one by one, so that one bad row does not fail the others; a failed single write rejects.
 */
export class GroupCommit<Input, Output = void> {
  readonly #name: string | undefined;
  readonly #write: (inputs: Input[]) => Promise<Output[]> | Promise<void>;
  readonly #maxSize: number;
  readonly #weigh: (input: Input) => number;
  readonly #maxWeight: number;
  readonly #atOnce: boolean;
  readonly #pauseMs: () => number;
  #waiting: Entry<Input, Output>[] = [];
  #inFlight = false;
  #scheduled = false;
  /** When the last group started, on the clock of `performance.now()`. */
  #startedAt = Number.NEGATIVE_INFINITY;
  #pause: NodeJS.Timeout | undefined;

  /**
   * `write` resolves to the results in the order of the inputs, or to nothing if writes have no
   * results.
   */
  constructor(
    write: (inputs: Input[]) => Promise<Output[]> | Promise<void>,
    {
      name,
      maxSize = 200,
      weigh = () => 0,
      maxWeight = Number.POSITIVE_INFINITY,
      atOnce = false,
      pauseMs = () => 0,
    }: GroupCommitOptions<Input> = {},
  ) {
    this.#name = name;
    this.#write = write;
    this.#maxSize = maxSize;
    this.#weigh = weigh;
    this.#maxWeight = maxWeight;
    this.#atOnce = atOnce;
    this.#pauseMs = pauseMs;
  }

  add(input: Input): Promise<Output> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ input, resolve, reject });
      this.#schedule();
    });
  }

  #schedule(): void {
    if (this.#scheduled || this.#inFlight || this.#waiting.length === 0) return;
    const waitMs = this.#untilNextGroup();
    if (waitMs > 0) {
      this.#pause ??= setTimeout(() => this.#endPause(), waitMs);
      return;
    }
    this.#scheduled = true;
    const schedule = this.#atOnce ? queueMicrotask : setImmediate;
    schedule(() => {
      this.#scheduled = false;
      void this.#flush();
    });
  }

  #untilNextGroup(): number {
    const pauseMs = this.#pauseMs();
    return pauseMs > 0 && this.#waiting.length < this.#maxSize ? this.#startedAt + pauseMs - performance.now() : 0;
  }

  #endPause(): void {
    this.#pause = undefined;
    this.#schedule();
  }

  async #flush(): Promise<void> {
    const group = this.#takeGroup();
    if (group.length === 0) return;
    clearTimeout(this.#pause);
    this.#pause = undefined;
    this.#inFlight = true;
    this.#startedAt = performance.now();
    if (this.#name !== undefined) groupCommitted.publish({ group: this.#name, size: group.length });
    try {
      const outputs = (await this.#write(group.map((entry) => entry.input))) ?? [];
      group.forEach((entry, i) => {
        entry.resolve(outputs[i] as Output);
      });
    } catch (error) {
      if (group.length === 1 || (isAppError(error) && error.retryable)) for (const entry of group) entry.reject(error);
      else await this.#writeEach(group);
    } finally {
      this.#inFlight = false;
      this.#schedule();
    }
  }

  #takeGroup(): Entry<Input, Output>[] {
    let size = 0;
    let weight = 0;
    for (const { input } of this.#waiting) {
      weight += this.#weigh(input);
      if (size >= this.#maxSize || (size > 0 && weight > this.#maxWeight)) break;
      size += 1;
    }
    return this.#waiting.splice(0, size);
  }

  async #writeEach(group: Entry<Input, Output>[]): Promise<void> {
    for (const { input, resolve, reject } of group) {
      try {
        const [output] = (await this.#write([input])) ?? [];
        resolve(output as Output);
      } catch (error) {
        reject(error);
      }
    }
  }
}
