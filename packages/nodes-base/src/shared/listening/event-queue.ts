import { AppError, type EmitOptions, errorMessage, type Item, type ListenContext } from '@sluice/node-sdk';
import { emitPatiently } from './emit-patiently.ts';
import { settledWithin } from './settled-within.ts';

/** Of the events that have arrived and have not yet started an execution. */
const limits = { events: 1_000, bytes: 64 * 1024 * 1024 };

/**
 * Events of a source that tells each of them once and waits for nobody: they are held in memory, in their order, until they have started their executions.
 * More than that may hold ends the listener with `TRIGGER_BUSY`.
 */
export class EventQueue {
  readonly #context: ListenContext;
  readonly #waiting = new Set<Promise<void>>();
  #bytes = 0;

  constructor(context: ListenContext) {
    this.#context = context;
  }

  /** @param bytes how large the event is, roughly. */
  push(items: readonly Item[], bytes: number, options?: EmitOptions): void {
    if (this.#waiting.size >= limits.events || this.#bytes + bytes > limits.bytes) {
      this.#context.failed(overflow());
      return;
    }
    this.#bytes += bytes;
    const emitted: Promise<void> = this.#emit(items, options).finally(() => {
      this.#bytes -= bytes;
      this.#waiting.delete(emitted);
    });
    this.#waiting.add(emitted);
  }

  async #emit(items: readonly Item[], options?: EmitOptions): Promise<void> {
    try {
      await emitPatiently(this.#context, items, options);
    } catch (error) {
      this.#context.logger.error({ reason: errorMessage(error) }, 'an event has started no execution');
    }
  }

  /** Waits for what has arrived, not for long. Never rejects. */
  async drained(): Promise<void> {
    await settledWithin(Promise.all(this.#waiting));
  }
}

function overflow(): AppError {
  const message = `more than ${limits.events} events, or ${limits.bytes / 1024 / 1024} MiB of them, wait for their executions`;
  return new AppError({ code: 'TRIGGER_BUSY', message, kind: 'transient' });
}
