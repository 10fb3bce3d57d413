import {
  AppError,
  currentMemory,
  dataSize,
  type EmitOptions,
  errorMessage,
  type Item,
  type ListenContext,
} from '@sluice/node-sdk';
import { emitPatiently } from './emit-patiently.ts';
import { settledWithin } from './settled-within.ts';

/** Limits for events that have arrived but not started an execution. */
const limits = { events: 1_000, bytes: 64 * 1024 * 1024 };

/**
 * Queues events from a source that sends each event only once and does not wait. They stay in
 * memory, in order, until they start executions. Beyond the limits, the listener ends with
 * `TRIGGER_BUSY`.
 */
export class EventQueue {
  readonly #context: ListenContext;
  readonly #memory = currentMemory();
  readonly #waiting = new Set<Promise<void>>();
  #bytes = 0;

  constructor(context: ListenContext) {
    this.#context = context;
  }

  /**
   * @param items items of the event; promises must resolve in the order of their events.
   * @param bytes approximate size of the event.
   */
  push(items: readonly Item[] | Promise<readonly Item[]>, bytes: number, options?: EmitOptions): void {
    if (this.#waiting.size >= limits.events || this.#bytes + bytes > limits.bytes) {
      this.#context.failed(overflow());
      return;
    }
    this.#bytes += bytes;
    this.#memory?.count(dataSize(bytes));
    const emitted: Promise<void> = this.#emit(items, options).finally(() => {
      this.#bytes -= bytes;
      this.#memory?.passOn(dataSize(bytes));
      this.#waiting.delete(emitted);
    });
    this.#waiting.add(emitted);
  }

  async #emit(items: readonly Item[] | Promise<readonly Item[]>, options?: EmitOptions): Promise<void> {
    try {
      await emitPatiently(this.#context, await items, options);
    } catch (error) {
      this.#context.logger.error({ reason: errorMessage(error) }, 'an event did not start an execution');
    }
  }

  /** Waits a short time for the queued events. Never rejects. */
  async drained(): Promise<void> {
    await settledWithin(Promise.all(this.#waiting));
  }
}

function overflow(): AppError {
  const message = `more than ${limits.events} events, or ${limits.bytes / 1024 / 1024} MiB of them, wait for executions`;
  return new AppError({ code: 'TRIGGER_BUSY', message, kind: 'transient' });
}
