import type { ExecutionId, ExecutionStatus, Item, JsonObject } from '@sluice/domain';
import type { SourceContext } from './source.ts';

/** Options for starting an execution from an event. */
export interface EmitOptions {
  /** Output of the node for the items. Default: 0. */
  output?: number;
  /**
   * Idempotency key of the event, up to 255 characters. Within 24 hours, events of the node with
   * the same key start one execution, because brokers redeliver messages without an
   * acknowledgement.
   */
  key?: string;
  /** Advances the cursor in the transaction that starts the execution. */
  cursor?: JsonObject;
}

/** The execution that an event started. */
export interface EmittedExecution {
  readonly id: ExecutionId;
  /** An earlier event with the same key started the execution; this event did not start one. */
  readonly repeated: boolean;
  /**
   * Resolves to the terminal status when the execution ends, for listeners that acknowledge only
   * then. Rejects if the listener stops first or the execution is deleted.
   */
  ended(): Promise<ExecutionStatus>;
}

/** The context of a listener, valid for its lifetime. */
export interface ListenContext extends SourceContext {
  /**
   * Fires when the listener must stop: deactivation, a new version, a lost lease, or shutdown. The
   * handle is closed as well.
   */
  readonly signal: AbortSignal;
  /**
   * Starts an execution with these items as the node's output. Resolves after the commit;
   * acknowledge the event only then.
   *
   * If it rejects, no execution was started. The error is an `AppError` `QUEUE_FULL` (too many
   * waiting executions in the project), `TRIGGER_CLOSED` (this listener was replaced),
   * `TRIGGER_DATA_TOO_LARGE`, `TRIGGER_BUSY` (a thousand events are queued), or a database failure.
   * If it is `retryable`, the same event may be emitted again. An unhandled rejection is logged and
   * harmless. Concurrent calls start their executions in order.
   */
  emit(items: readonly Item[], options?: EmitOptions): Promise<EmittedExecution>;
  /** Advances the cursor without starting an execution. Rejects with the same errors as `emit`. */
  saveCursor(next: JsonObject): Promise<void>;
  /**
   * Reports that the listener cannot continue, for example after a lost connection. It is closed,
   * and `trigger` is called again after a pause that grows with each failure. The message is shown
   * to users at the trigger. Only the first call has an effect.
   */
  failed(error: unknown): void;
}

/** A running listener. */
export interface TriggerHandle {
  /**
   * Stops the listener; resolves once no further events will arrive. Called once, also after
   * `failed`, with a timeout of ten seconds. During worker shutdown, `emit` works until then.
   */
  close(): Promise<void> | void;
}
