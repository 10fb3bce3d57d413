import type { AttemptRef, QueuedExecutionRepository, QueuedWorkflow } from '@sluice/db';
import { RestingRead } from '@sluice/domain';
import { TurnOrder } from './turn-order.ts';

interface BacklogOptions {
  queued: Pick<QueuedExecutionRepository, 'listWorkflows' | 'take'>;
  /** Monotonic clock in milliseconds. */
  now?: () => number;
}

/**
 * Milliseconds without an empty queue after which there is a backlog. Executions that have been
 * queued for as long then get a turn.
 */
export const backlogAfterMs = 200;
/** Milliseconds that an execution may be queued before its job is considered lost or overdue. */
const overdueAfterMs = 10_000;
/** Milliseconds after which the queued workflows are listed again. */
const maxAgeMs = 250;
/** Listing uses at most 1 / `restFactor` of the time. */
const restFactor = 10;

/**
 * Chooses what starts next while executions of several workflows are queued.
 *
 * The queue delivers jobs in the order of their starts, so a workflow with 100,000 queued
 * executions would make all others wait. During such a backlog, a job determines only how many
 * executions may start. Postgres decides which: projects and workflows take turns, and the oldest
 * executions start first. This lasts until the queues are empty.
 */
export class Backlog {
  readonly #queued: BacklogOptions['queued'];
  readonly #now: () => number;
  readonly #turns = new TurnOrder();
  /** The turns of `takeOfOthers`. */
  readonly #otherTurns = new TurnOrder();
  readonly #busySince = new Map<string, number>();
  /** When the queues, which are empty or were so before their last job, were last empty. */
  readonly #emptyUntil = new Map<string, number>();
  #isShared = false;
  readonly #listing: RestingRead;
  /** The listing of `takeOfOthers`. */
  readonly #otherListing: RestingRead;
  #listed: readonly QueuedWorkflow[] = [];

  constructor({ queued, now = () => performance.now() }: BacklogOptions) {
    this.#queued = queued;
    this.#now = now;
    this.#listing = new RestingRead({ read: () => this.#list(), restFactor, minRestMs: maxAgeMs, now });
    const listOthers = async () => {
      this.#listed = await queued.listWorkflows(backlogAfterMs);
    };
    this.#otherListing = new RestingRead({ read: listOthers, restFactor, now });
  }

  /** Whether queued executions of several workflows take turns, as far as this worker knows. */
  get takesTurns(): boolean {
    return this.#isShared;
  }

  /** Call this when a queue is empty. */
  drained(queue: string): void {
    this.#busySince.delete(queue);
    this.#emptyUntil.set(queue, Number.POSITIVE_INFINITY);
    this.#isShared &&= this.#busySince.size > 0;
  }

  /** Whether a queue was empty within the last `ms` milliseconds, according to this worker. */
  wasEmpty(queue: string, ms: number): boolean {
    return this.#now() - (this.#emptyUntil.get(queue) ?? Number.NEGATIVE_INFINITY) <= ms;
  }

  /**
   * Returns up to `count` executions to start in place of as many delivered ones; the other
   * delivered executions may start. Throws `UnavailableError`.
   */
  async next(count: number, queue: string): Promise<AttemptRef[]> {
    const now = this.#now();
    const busySince = this.#busySince.get(queue) ?? now;
    this.#busySince.set(queue, busySince);
    if (this.#emptyUntil.get(queue) === Number.POSITIVE_INFINITY) this.#emptyUntil.set(queue, now);
    if (now - busySince < backlogAfterMs) return [];
    if (!this.#listing.isResting) await this.#listing.repeat();
    return this.#isShared ? this.#take(count) : [];
  }

  /**
   * Executions to start in place of `count` that had already started. During a backlog, another job
   * may have started them; that job's own executions then have no job. Throws `UnavailableError`.
   */
  async replace(count: number): Promise<AttemptRef[]> {
    if (this.#listing.ageMs >= backlogAfterMs) await this.#listing.repeat();
    return this.#take(count);
  }

  /**
   * Up to `count` executions that have been queued for as long as a backlog, and whose jobs may be
   * gone; `undefined` if none has. Throws `UnavailableError`.
   */
  async takeOverdue(count: number): Promise<AttemptRef[] | undefined> {
    await this.#listing.repeat();
    return this.#turns.isEmpty ? undefined : this.#take(count);
  }

  /**
   * Up to `count` executions of other projects than these, regardless of jobs: a job of an
   * execution that has started makes `replace` start another one. Throws `UnavailableError`.
   */
  async takeOfOthers(projects: ReadonlySet<string>, count: number): Promise<AttemptRef[]> {
    if (!this.#otherListing.isResting) await this.#otherListing.repeat();
    this.#otherTurns.update(this.#listed.filter(({ projectId }) => !projects.has(projectId)));
    return this.#take(count, this.#otherTurns);
  }

  async #take(count: number, order = this.#turns): Promise<AttemptRef[]> {
    const turns = order.next(count);
    if (turns.length === 0) return [];
    const executions = await this.#queued.take(turns, backlogAfterMs);
    for (const turn of turns)
      if (executions.filter(({ workflowId }) => workflowId === turn.workflowId).length < turn.count) order.remove(turn);
    return executions.map(({ executionId, attempt }) => ({ executionId, attempt }));
  }

  async #list(): Promise<void> {
    const workflows = await this.#queued.listWorkflows(backlogAfterMs);
    this.#turns.update(workflows);
    this.#isShared ||= workflows.length > 1 || workflows.some(({ waitedMs }) => waitedMs > overdueAfterMs);
  }
}
