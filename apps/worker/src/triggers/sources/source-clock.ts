import type { SourceKind, SourceLease, SourceName, TriggerSourceRepository } from '@sluice/db';
import { errorMessage, repeatedly, type WorkerId } from '@sluice/domain';
import { failureLog, type Logger } from '@sluice/logger';
import type { CredentialWatch } from './credential-watch.ts';
import { type SourceLeaseKeeper, sourceLeaseMs } from './source-lease-keeper.ts';

interface SourceClockOptions {
  triggerSources: Pick<TriggerSourceRepository, 'take' | 'countListeners'>;
  leases: Pick<SourceLeaseKeeper, 'start' | 'stop' | 'release' | 'releaseAll'>;
  credentialWatch: Pick<CredentialWatch, 'start' | 'stop'>;
  /** Polls; resolves at the end. */
  poll(lease: SourceLease): Promise<unknown>;
  /** Listens; resolves at the end. */
  listen(lease: SourceLease): Promise<unknown>;
  /** Called when all polls and listeners have ended, and no more will start. */
  closed(): void;
  /** This worker's types of installed packages, as `foreignTypeNames` returns them. */
  nodeTypes: readonly string[];
  /** Maximum numbers of concurrent polls and of listeners. */
  max: { polls: number; listeners: number };
  workerId(): WorkerId;
  logger: Logger;
}

/** Interval of checks in milliseconds. */
const checkEveryMs = 500;
/**
 * A worker with its share of the listeners takes more only once in this many checks: there may be
 * no other worker to take them.
 */
const checksPerFullTake = 10;
/**
 * How long a trigger whose node type this worker lacks is left to other workers, in milliseconds.
 */
const skipMs = 60_000;

/**
 * Takes due polls, and listeners that no worker runs. Runs in every worker, without a leader:
 * Postgres assigns each to one worker. Workers share listeners as they appear; a worker that starts
 * later takes listeners that become free. While several projects have triggers, each has half of a
 * worker's slots at most, so that endless polls and many listeners of one project leave slots to
 * the others.
 */
export class SourceClock {
  readonly #options: SourceClockOptions;
  readonly #stopping = new AbortController();
  readonly #running: Record<SourceKind, Map<SourceLease, Promise<void>>> = { poll: new Map(), listen: new Map() };
  /** Workflow and node → time until which the trigger is left to other workers. */
  readonly #skipped = new Map<string, { name: SourceName; until: number }>();
  #checks = 0;

  constructor(options: SourceClockOptions) {
    this.#options = options;
  }

  /** Number of listeners of this worker. */
  get listeners(): number {
    return this.#running.listen.size;
  }

  start(): void {
    const { leases, credentialWatch, logger } = this.#options;
    leases.start();
    credentialWatch.start();
    const { signal } = this.#stopping;
    const onError = failureLog(logger, 'polls and listeners not checked');
    repeatedly(() => this.#takePolls(), { pauseMs: checkEveryMs, firstMs: 1, signal, onError });
    repeatedly(() => this.#takeListeners(), { pauseMs: checkEveryMs, firstMs: 1, signal, onError });
  }

  /** Takes no more triggers and releases its leases; resolves when all of them have ended. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    const { leases, credentialWatch } = this.#options;
    credentialWatch.stop();
    leases.releaseAll();
    await Promise.all([...this.#running.poll.values(), ...this.#running.listen.values()]);
    leases.stop();
    this.#options.closed();
  }

  /** This worker lacks the node's type; another worker may have it. */
  skip({ workflowId, nodeName }: SourceName): void {
    const until = performance.now() + skipMs;
    this.#skipped.set(JSON.stringify([workflowId, nodeName]), { name: { workflowId, nodeName }, until });
  }

  async #takePolls(): Promise<void> {
    const { max, poll } = this.#options;
    await this.#take('poll', max.polls - this.#running.poll.size, poll);
  }

  async #takeListeners(): Promise<void> {
    const { max, listen, triggerSources } = this.#options;
    const have = this.listeners;
    if (have > max.listeners) return; // one that was replaced is still closing
    if (have === max.listeners) return this.#replaceListener();
    this.#checks += 1;
    const isLimitedToShare = this.#checks % checksPerFullTake !== 0;
    const { listeners, workers } = await triggerSources.countListeners();
    if (listeners === 0) return;
    const share = isLimitedToShare ? Math.min(max.listeners, Math.ceil(listeners / Math.max(1, workers))) : max.listeners;
    await this.#take('listen', share - have, listen);
  }

  /** A project that had all slots before other projects had listeners gives them up one by one. */
  async #replaceListener(): Promise<void> {
    const { leases, listen } = this.#options;
    const [largest] = this.#largestFirst('listen');
    if (!largest || largest.leases.length <= this.#fairShare('listen')) return;
    if ((await this.#take('listen', 1, listen)) > 0) leases.release(largest.leases.at(-1)?.leaseId ?? '');
  }

  /** Resolves to the number of triggers that it took. */
  async #take(kind: SourceKind, limit: number, work: (lease: SourceLease) => Promise<unknown>): Promise<number> {
    const { triggerSources, workerId, nodeTypes } = this.#options;
    let count = 0;
    while (count < limit && !this.#stopping.signal.aborted) {
      const { full, mostOfOne } = this.#shares(kind);
      const batch = Math.min(limit - count, mostOfOne);
      const options = { kind, limit: batch, workerId: workerId(), leaseMs: sourceLeaseMs, nodeTypes, full };
      const taken = await triggerSources.take({ ...options, except: this.#exceptions() });
      for (const lease of taken) this.#begin(kind, lease, work);
      count += taken.length;
      if (taken.length < batch) break;
    }
    return count;
  }

  /** Projects that have their share, and how many more each of the others may have. */
  #shares(kind: SourceKind): { full: string[]; mostOfOne: number } {
    const share = this.#fairShare(kind);
    const projects = this.#largestFirst(kind);
    const full = projects.filter(({ leases }) => leases.length >= share);
    return { full: full.map(({ projectId }) => projectId), mostOfOne: share - (projects[full.length]?.leases.length ?? 0) };
  }

  #fairShare(kind: SourceKind): number {
    const { polls, listeners } = this.#options.max;
    return Math.max(1, Math.floor((kind === 'poll' ? polls : listeners) / 2));
  }

  #largestFirst(kind: SourceKind): { projectId: string; leases: SourceLease[] }[] {
    const projects = Map.groupBy(this.#running[kind].keys(), ({ projectId }) => projectId);
    return [...projects]
      .map(([projectId, leases]) => ({ projectId, leases }))
      .sort((a, b) => b.leases.length - a.leases.length);
  }

  #exceptions(): SourceName[] {
    for (const [key, { until }] of this.#skipped) if (until <= performance.now()) this.#skipped.delete(key);
    return [...this.#skipped.values()].map(({ name }) => name);
  }

  #begin(kind: SourceKind, lease: SourceLease, work: (lease: SourceLease) => Promise<unknown>): void {
    const { logger } = this.#options;
    const { workflowId, nodeName } = lease;
    const running: Promise<void> = work(lease)
      .catch((error: unknown) => logger.warn({ workflowId, nodeName, error: errorMessage(error) }, `${kind} left unchanged`))
      .then(() => void this.#running[kind].delete(lease));
    this.#running[kind].set(lease, running);
    // Taken while the worker was stopping: released at once.
    if (this.#stopping.signal.aborted) this.#options.leases.releaseAll();
  }
}
