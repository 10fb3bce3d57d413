import { channel } from 'node:diagnostics_channel';
import type { ErrorCode } from './error-code.ts';

/**
 * One kind of event within the process, for metrics. Without a subscriber, a publication costs one
 * read of a property.
 */
export class Observation<Event> {
  readonly #channel: ReturnType<typeof channel>;

  constructor(name: string) {
    this.#channel = channel(`sluice:${name}`);
  }

  /** Whether there is a subscriber, so that measuring is worthwhile. */
  get isObserved(): boolean {
    return this.#channel.hasSubscribers;
  }

  publish(event: Event): void {
    if (this.#channel.hasSubscribers) this.#channel.publish(event);
  }

  /** Returns a function that ends the subscription. `onEvent` must not throw. */
  subscribe(onEvent: (event: Event) => void): () => void {
    const listener = (event: unknown) => onEvent(event as Event);
    this.#channel.subscribe(listener);
    return () => void this.#channel.unsubscribe(listener);
  }
}

/** A group of writes was sent as one statement or message. */
export const groupCommitted = new Observation<{ group: string; size: number }>('group-committed');

/** An execution was claimed, `waitMs` milliseconds after it was queued, by the database's clock. */
export const executionClaimed = new Observation<{ waitMs: number }>('execution-claimed');

/** A node was executed. `type`: name of an installed node type. */
export const nodeRan = new Observation<{ type: string; durationMs: number; failed: boolean }>('node-ran');

/** A statement waited for a free connection. */
export const poolWaited = new Observation<{ waitMs: number }>('pool-waited');

/**
 * The things a sweep repairs: leases of dead workers, their executions, executions past their
 * deadline, executions without a job, and paused queues.
 */
export const sweepFinds = ['lease', 'crashed', 'overdue', 'stranded', 'queue'] as const;
export type SweepFind = (typeof sweepFinds)[number];

export const sweepFound = new Observation<{ find: SweepFind; count: number }>('sweep-found');

/** At its deadline, when out of memory, or because of a fault in the thread itself. */
export const killReasons = ['timeout', 'memory', 'fault'] as const;

/** A sandbox thread or process was ended from outside. */
export const sandboxKilled = new Observation<{ reason: (typeof killReasons)[number] }>('sandbox-killed');

export const triggerKinds = ['poll', 'listener', 'schedule', 'registration'] as const;

/** A trigger failed; it is retried. */
export const triggerFailed = new Observation<{ kind: (typeof triggerKinds)[number] }>('trigger-failed');

/** Codes of errors that are caused by a limit of the operator or a workflow. */
export const limitCodes = [
  'AI_LIMIT_REACHED',
  'BINARY_TOO_LARGE',
  'CODE_MEMORY',
  'CODE_TIMEOUT',
  'CONCURRENCY_LIMIT',
  'EXECUTION_TIMEOUT',
  'HEADERS_TOO_LARGE',
  'MEMORY_UNAVAILABLE',
  'PAYLOAD_TOO_LARGE',
  'QUEUE_FULL',
  'RATE_LIMITED',
  'RESULT_TOO_LARGE',
  'RUN_DATA_TOO_LARGE',
  'STATIC_DATA_TOO_LARGE',
  'STORAGE_QUOTA_EXCEEDED',
  'TOO_MANY_NODE_RUNS',
  'TRIGGER_DATA_TOO_LARGE',
] as const satisfies readonly ErrorCode[];

const areLimits: ReadonlySet<string | undefined> = new Set(limitCodes);

export const limitHit = new Observation<{ limit: string }>('limit-hit');

/** Publishes an error's code if a limit caused the error. */
export function noteLimit(code: string | undefined): void {
  if (limitHit.isObserved && areLimits.has(code)) limitHit.publish({ limit: code as string });
}
