import { NodeOperationError } from '@sluice/node-sdk';

/** The most bytes that a node reads from a database in one run: what is larger would fill the worker's memory before any cap on run data sees it. */
export const maxResultBytes = 64 * 1024 * 1024;

/** Counts what a node reads, and ends the reading once it is too much. */
export class ByteBudget {
  readonly #maxBytes: number;
  readonly #onExceeded: (error: NodeOperationError) => void;
  #spent = 0;

  /** @param onExceeded is called once, and has to end the reading. */
  constructor(onExceeded: (error: NodeOperationError) => void, maxBytes = maxResultBytes) {
    this.#maxBytes = maxBytes;
    this.#onExceeded = onExceeded;
  }

  spend(bytes: number): void {
    const wasWithin = this.#spent <= this.#maxBytes;
    this.#spent += bytes;
    if (wasWithin && this.#spent > this.#maxBytes) this.#onExceeded(resultTooLarge(this.#maxBytes));
  }

  /** What was read so far counts no longer: for listeners, whose bound is that of one message. */
  refill(): void {
    if (this.#spent <= this.#maxBytes) this.#spent = 0;
  }
}

export function resultTooLarge(maxBytes = maxResultBytes): NodeOperationError {
  return new NodeOperationError(
    `the result is larger than ${maxBytes / 1024 / 1024} MiB`,
    { description: 'Ask for fewer rows or columns, or read them in parts' },
    'RESULT_TOO_LARGE',
  );
}

/** What a client reads from. */
export interface ReadStream {
  on(event: 'data', listener: (chunk: Uint8Array) => void): unknown;
  destroy(error?: Error): unknown;
}

/** Destroys a stream that gives more than the budget, and rejects then; never resolves. It has to be flowing already: nothing that arrives is kept. */
export function meterStream(stream: ReadStream): Promise<never> {
  const { promise, reject } = Promise.withResolvers<never>();
  promise.catch(() => {});
  const budget = new ByteBudget((error) => {
    reject(error);
    stream.destroy();
  });
  stream.on('data', (chunk) => budget.spend(chunk.length));
  return promise;
}
