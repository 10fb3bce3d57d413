import type { ExecutionStatus } from '@sluice/domain';

/** An execution that the service has accepted: its id was in a response. */
export interface Accepted {
  id: string;
  /** Name of its kind of workflow. */
  kind: string;
  /** The execution that it retries. */
  retryOf?: string;
}

interface Ending {
  status: ExecutionStatus;
  stoppedAt: string;
  /** When its response arrived, by `performance.now()`. */
  knownAt: number;
}

/** An execution as responses show it. */
export interface SeenExecution {
  id: string;
  status: ExecutionStatus;
  stoppedAt?: string | null;
}

/** Everything that responses have confirmed; the auditor compares it with the database and the effects. */
export class Ledger {
  readonly accepted = new Map<string, Accepted>();
  /** Events whose webhook request got a response that was not a refusal; each has one execution. */
  readonly webhookEvents = new Set<string>();
  /** Ids of executions whose stop was confirmed. */
  readonly stopped = new Set<string>();
  /** Terminal states that responses have shown. */
  readonly endings = new Map<string, Ending>();
  readonly malformed: string[] = [];
  readonly changedEndings: string[] = [];
  /** Starts whose last response was lost, so that they may count or not. */
  unanswered = 0;
  /** All requests that got a response. */
  responses = 0;
  slowestResponseMs = 0;

  accept(accepted: Accepted): void {
    this.accepted.set(accepted.id, accepted);
  }

  /** Notes an execution in the response to a request of that time. A terminal state never changes. */
  noteSeen({ id, status, stoppedAt }: SeenExecution, sentAt: number): void {
    const known = this.endings.get(id);
    const isOutdated = !stoppedAt && known !== undefined && sentAt < known.knownAt;
    if (known && !isOutdated && (known.status !== status || known.stoppedAt !== stoppedAt))
      this.changedEndings.push(`${id}: ${known.status} at ${known.stoppedAt}, then ${status} at ${stoppedAt}`);
    if (!known && stoppedAt) this.endings.set(id, { status, stoppedAt, knownAt: performance.now() });
  }
}
