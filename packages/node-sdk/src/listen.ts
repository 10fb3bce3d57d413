import type { ExecutionId, ExecutionStatus, Item, JsonObject } from '@sluice/domain';
import type { SourceContext } from './source.ts';

/** How an event becomes an execution. */
export interface EmitOptions {
  /** Which output of the node the items come out of; default 0. */
  output?: number;
  /**
   * Names the event, up to 255 characters. Within 24 hours events of the node with one key start one execution: for messages that a broker delivers
   * again when it has not seen the acknowledgement.
   */
  key?: string;
  /** Moves the cursor on in the transaction that starts the execution. */
  cursor?: JsonObject;
}

/** What an event has started. */
export interface EmittedExecution {
  readonly id: ExecutionId;
  /** Its key had started the execution before: this event started none. */
  readonly repeated: boolean;
  /**
   * Resolves to the terminal status once the execution has ended, for listeners that acknowledge only then. Rejects when the listener ends before, and
   * when the execution has been deleted.
   */
  ended(): Promise<ExecutionStatus>;
}

/** What a listener is given. It lives as long as the listener does. */
export interface ListenContext extends SourceContext {
  /** Fires when the listener has to end: deactivation, another version, a lost lease, shutdown. The handle is closed then, too. */
  readonly signal: AbortSignal;
  /**
   * Starts an execution in which the node gives these items. Resolves after the commit: acknowledge the event only then. Rejects, having started
   * nothing, with an `AppError` `QUEUE_FULL` (the project has too many executions waiting), `TRIGGER_CLOSED` (this listener is no longer the one that
   * counts), `TRIGGER_DATA_TOO_LARGE`, `TRIGGER_BUSY` (a thousand events wait already), or the failure of the database; where `retryable`, the same
   * event may be tried again. A rejection that nobody looks at is logged, and harms nothing. May be called while earlier calls are under way; what is
   * emitted first starts first.
   */
  emit(items: readonly Item[], options?: EmitOptions): Promise<EmittedExecution>;
  /** Moves the cursor on without starting anything. Rejects as `emit` does. */
  keepCursor(next: JsonObject): Promise<void>;
  /**
   * Says that the listener cannot go on: its connection was lost, say. It is closed, and `trigger` is called anew after a pause that grows with each
   * failure; users see the message at the trigger. Only the first call counts.
   */
  failed(error: unknown): void;
}

/** A listener that runs. */
export interface TriggerHandle {
  /**
   * Ends it: resolves when no further event comes. Called once, also after `failed`; ten seconds at most are waited for it. `emit` still works until
   * then where the shutdown of a worker is the reason.
   */
  close(): Promise<void> | void;
}
