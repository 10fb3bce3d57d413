import type { SourceHold, SourceKind, SourceName, TriggerSources } from '@sluice/db';
import { errorMessage, type WorkerId } from '@sluice/domain';
import type { Logger } from '@sluice/logger';
import { repeatedly } from '../repeatedly.ts';
import { type SourceHolds, sourceLeaseMs } from './source-holds.ts';

export interface SourceClockOptions {
  sources: Pick<TriggerSources, 'take' | 'share'>;
  holds: Pick<SourceHolds, 'start' | 'stop' | 'giveBackAll'>;
  /** Polls, and resolves when that is over. */
  poll(hold: SourceHold): Promise<unknown>;
  /** Listens, and resolves when that is over. */
  listen(hold: SourceHold): Promise<unknown>;
  /** Called when nothing polls or listens any more, and nothing will. */
  closed(): void;
  /** Node types of installed packages that this worker has, as `foreignTypeNames` gives them. */
  nodeTypes: readonly string[];
  /** Polls at once, and listeners, that this worker may have. */
  max: { polls: number; listeners: number };
  workerId(): WorkerId;
  logger: Logger;
}

/** How often to look, in milliseconds. */
const lookMs = 500;
/** A worker that has its share of the listeners leaves others to others, but for each look of so many: nobody may be there to take them. */
const patience = 10;
/** How long a trigger whose node type this worker lacks is left to others, in milliseconds. */
const leftAloneMs = 60_000;

/**
 * Takes polls that are due, and listeners that nobody has. Runs in every worker, without a leader: Postgres gives each to one. Listeners are shared among
 * the workers as they come; a worker that comes later takes those that become free.
 */
export class SourceClock {
  readonly #options: SourceClockOptions;
  readonly #stopping = new AbortController();
  readonly #running: Record<SourceKind, Set<Promise<void>>> = { poll: new Set(), listen: new Set() };
  /** By workflow and node; until when they are left to others. */
  readonly #leftAlone = new Map<string, { name: SourceName; until: number }>();
  #looks = 0;

  constructor(options: SourceClockOptions) {
    this.#options = options;
  }

  /** How many listeners this worker has. */
  get listeners(): number {
    return this.#running.listen.size;
  }

  start(): void {
    const { holds, logger } = this.#options;
    holds.start();
    const { signal } = this.#stopping;
    const onError = (error: unknown) => logger.warn({ error: errorMessage(error) }, 'polls and listeners not looked at');
    repeatedly(() => this.#takePolls(), { pauseMs: lookMs, firstMs: 1, signal, onError });
    repeatedly(() => this.#takeListeners(), { pauseMs: lookMs, firstMs: 1, signal, onError });
  }

  /** Takes nothing more, and gives back what it has; resolves when all of that has ended. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    const { holds } = this.#options;
    holds.giveBackAll();
    await Promise.all([...this.#running.poll, ...this.#running.listen]);
    holds.stop();
    this.#options.closed();
  }

  /** This worker lacks the type of the node; another one may have it. */
  leaveAlone({ workflowId, nodeName }: SourceName): void {
    const until = performance.now() + leftAloneMs;
    this.#leftAlone.set(JSON.stringify([workflowId, nodeName]), { name: { workflowId, nodeName }, until });
  }

  async #takePolls(): Promise<void> {
    const { max, poll } = this.#options;
    await this.#take('poll', max.polls - this.#running.poll.size, poll);
  }

  async #takeListeners(): Promise<void> {
    const { max, listen, sources } = this.#options;
    const have = this.listeners;
    if (have >= max.listeners) return;
    this.#looks += 1;
    const isPatient = this.#looks % patience !== 0;
    const { listeners, workers } = await sources.share();
    if (listeners === 0) return;
    const share = isPatient ? Math.min(max.listeners, Math.ceil(listeners / Math.max(1, workers))) : max.listeners;
    await this.#take('listen', share - have, listen);
  }

  async #take(kind: SourceKind, limit: number, work: (hold: SourceHold) => Promise<unknown>): Promise<void> {
    if (limit <= 0 || this.#stopping.signal.aborted) return;
    const { sources, workerId, nodeTypes } = this.#options;
    const except = this.#exceptions();
    const taken = await sources.take({ kind, limit, workerId: workerId(), leaseMs: sourceLeaseMs, nodeTypes, except });
    for (const hold of taken) this.#begin(kind, hold, work);
  }

  #exceptions(): SourceName[] {
    for (const [key, { until }] of this.#leftAlone) if (until <= performance.now()) this.#leftAlone.delete(key);
    return [...this.#leftAlone.values()].map(({ name }) => name);
  }

  #begin(kind: SourceKind, hold: SourceHold, work: (hold: SourceHold) => Promise<unknown>): void {
    const { logger } = this.#options;
    const { workflowId, nodeName } = hold;
    const running: Promise<void> = work(hold)
      .catch((error: unknown) => logger.warn({ workflowId, nodeName, error: errorMessage(error) }, `${kind} left as it was`))
      .then(() => void this.#running[kind].delete(running));
    this.#running[kind].add(running);
    // Taken while the worker was told to stop: it goes back at once.
    if (this.#stopping.signal.aborted) this.#options.holds.giveBackAll();
  }
}
