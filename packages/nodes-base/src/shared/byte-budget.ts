import { currentMemory, dataSize, maxResultBytes, NodeOperationError } from '@sluice/node-sdk';

export { maxResultBytes, rowBytes } from '@sluice/node-sdk';

/**
 * Counts the bytes that a node reads, and stops the read when they exceed the budget. They also
 * count toward the memory of the execution or listener that made the budget, for which its
 * connections wait.
 */
export class ByteBudget {
  readonly #memory = currentMemory();
  readonly #maxBytes: number;
  readonly #onExceeded: (error: NodeOperationError) => void;
  #spent = 0;

  /** @param onExceeded called once; must stop the read. */
  constructor(onExceeded: (error: NodeOperationError) => void, maxBytes = maxResultBytes) {
    this.#maxBytes = maxBytes;
    this.#onExceeded = onExceeded;
  }

  spend(bytes: number): void {
    const wasWithin = this.#spent <= this.#maxBytes;
    this.#spent += bytes;
    this.#memory?.count(dataSize(bytes));
    if (wasWithin && this.#spent > this.#maxBytes) this.#onExceeded(resultTooLarge(this.#maxBytes));
  }

  /** Resets the count: for listeners, the budget applies to each message. */
  refill(): void {
    if (this.#spent > this.#maxBytes) return;
    this.#memory?.passOn(dataSize(this.#spent));
    this.#spent = 0;
  }
}

/**
 * Counts the result bytes that a node keeps in one run, like `ByteBudget`. Every addition beyond
 * the budget throws.
 */
export class ResultBudget {
  readonly #memory = currentMemory();
  #spent = 0;

  spend(bytes: number): void {
    this.#spent += bytes;
    this.#memory?.count(dataSize(bytes));
    if (this.#spent > maxResultBytes) throw resultTooLarge();
  }
}

export function resultTooLarge(maxBytes = maxResultBytes): NodeOperationError {
  return new NodeOperationError(
    `the result is larger than ${maxBytes / 1024 / 1024} MiB`,
    { description: 'Read fewer rows or columns, or read them in parts' },
    'RESULT_TOO_LARGE',
  );
}

/** The part of a stream that clients read from. */
export interface ReadStream {
  on(event: 'data', listener: (chunk: Uint8Array) => void): unknown;
  destroy(error?: Error): unknown;
}

/**
 * Destroys a stream that exceeds the budget, then rejects; never resolves. The stream must already
 * be flowing: no data is buffered here.
 */
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
