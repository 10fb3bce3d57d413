import type { SourceStartRepository } from '@sluice/db';
import {
  AppError,
  type ExecutionId,
  type ExecutionStatus,
  errorMessage,
  isTerminal,
  repeatedly,
  untilAborted,
} from '@sluice/domain';
import type { Logger } from '@sluice/logger';

export interface EndWaiterOptions {
  sourceStarts: Pick<SourceStartRepository, 'statuses'>;
  /** Subscribes to ids of executions that may have ended, from the first call on. */
  subscribe(onIds: (ids: readonly string[]) => void): void;
  logger: Logger;
}

/**
 * Interval of database checks in milliseconds: the message about an execution's end may be lost.
 */
const checkEveryMs = 2_000;

/**
 * Notifies listeners of the end of executions that they started. Subscribes on the first request.
 */
export class EndWaiter {
  readonly #options: EndWaiterOptions;
  readonly #waiting = new Map<ExecutionId, PromiseWithResolvers<ExecutionStatus>>();
  readonly #stopping = new AbortController();
  #isListening = false;

  constructor(options: EndWaiterOptions) {
    this.#options = options;
  }

  stop(): void {
    this.#stopping.abort();
  }

  /** Rejects with the reason of the signal, or if the execution has been deleted. */
  async ended(id: ExecutionId, signal: AbortSignal): Promise<ExecutionStatus> {
    this.#listen();
    const end = this.#waiting.get(id) ?? Promise.withResolvers<ExecutionStatus>();
    this.#waiting.set(id, end);
    end.promise.catch(() => undefined);
    void this.#check([id]).catch((error: unknown) => this.#note(error));
    return untilAborted(end.promise, signal);
  }

  #listen(): void {
    if (this.#isListening) return;
    this.#isListening = true;
    const onError = (error: unknown) => this.#note(error);
    this.#options.subscribe((ids) => void this.#check(ids).catch(onError));
    repeatedly(() => this.#check([...this.#waiting.keys()]), { pauseMs: checkEveryMs, signal: this.#stopping.signal, onError });
  }

  /** The next check finds executions that this one missed. */
  #note(error: unknown): void {
    this.#options.logger.warn({ error: errorMessage(error) }, 'ends of executions not checked');
  }

  async #check(ids: readonly string[]): Promise<void> {
    const waitedFor = ids.filter((id) => this.#waiting.has(id));
    if (waitedFor.length === 0) return;
    const statuses = await this.#options.sourceStarts.statuses(waitedFor);
    for (const id of waitedFor) {
      const status = statuses.get(id);
      if (status === undefined) this.#waiting.get(id)?.reject(deletedError(id));
      else if (isTerminal(status)) this.#waiting.get(id)?.resolve(status);
      else continue;
      this.#waiting.delete(id);
    }
  }
}

function deletedError(id: ExecutionId): AppError {
  return new AppError({ code: 'EXECUTION_NOT_FOUND', message: `execution ${id} has been deleted` });
}
