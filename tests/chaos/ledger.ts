import type { ExecutionStatus } from '@sluice/domain';

/** An execution that the service has accepted: a response contained its ID. */
export interface Accepted {
  id: string;
  /** Name of its kind of workflow. */
  kind: string;
  /** The execution that this one retries. */
  retryOf?: string;
}

interface Ending {
  status: ExecutionStatus;
  stoppedAt: string;
  /** When its response arrived, by `performance.now()`. */
  knownAt: number;
}

/** An execution as a response describes it. */
export interface SeenExecution {
  id: string;
  status: ExecutionStatus;
  stoppedAt?: string | null;
}

/**
 * Records what responses have confirmed. The auditor compares it with the database and the effects.
 */
export class Ledger {
  readonly accepted = new Map<string, Accepted>();
  /** Events of accepted webhook requests; each has one execution. */
  readonly webhookEvents = new Set<string>();
  /** IDs of executions whose stop was confirmed. */
  readonly stopped = new Set<string>();
  /** Terminal states in responses, by execution ID. */
  readonly endings = new Map<string, Ending>();
  readonly malformed: string[] = [];
  readonly changedEndings: string[] = [];
  /** Number of starts without a response, each of which may have created an execution. */
  unanswered = 0;
  /** Number of responses. */
  responses = 0;
  slowestResponseMs = 0;

  accept(accepted: Accepted): void {
    this.accepted.set(accepted.id, accepted);
  }

  /**
   * Records an execution from the response to a request sent at that time. A terminal state never
   * changes.
   */
  recordSeen({ id, status, stoppedAt }: SeenExecution, sentAt: number): void {
    const previous = this.endings.get(id);
    const isOutdated = !stoppedAt && previous !== undefined && sentAt < previous.knownAt;
    if (previous && !isOutdated && (previous.status !== status || previous.stoppedAt !== stoppedAt))
      this.changedEndings.push(`${id}: ${previous.status} at ${previous.stoppedAt}, then ${status} at ${stoppedAt}`);
    if (!previous && stoppedAt) this.endings.set(id, { status, stoppedAt, knownAt: performance.now() });
  }
}
