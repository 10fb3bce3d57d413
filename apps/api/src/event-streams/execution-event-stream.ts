import type { NodeFinishedEvent, NodeStartedEvent, StatusEvent } from '@sluice/contract';
import type { ExecutionProgress, ExecutionProgressRepository, FinishedNodeRun } from '@sluice/db';
import { type ExecutionId, type ExecutionStatus, isAppError, isTerminal } from '@sluice/domain';
import type { NodeStarted } from '@sluice/queue';
import type { ServerSentEvent } from '../http/response/server-sent-events.ts';
import type { ExecutionFeed, Follower } from './execution-feed.ts';
import { formatPosition, type StreamPosition } from './stream-position.ts';

/** Maximum number of node runs per read. */
const maxRunsPerRead = 200;
/** Number of ended node runs that are remembered. */
const maxEnded = 1_000;

interface ExecutionEventStreamOptions {
  feed: ExecutionFeed;
  executionProgress: Pick<ExecutionProgressRepository, 'listFinished'>;
  executionId: ExecutionId;
  /** User who reads the stream. */
  userId: string;
  position: StreamPosition;
  /** Aborts when the client disconnects. */
  signal: AbortSignal;
  /** Whether the caller may still read the execution; checked repeatedly. */
  isAllowed: () => Promise<boolean>;
}

/**
 * The events of one execution for one client.
 *
 * Each round reads the status first and then the node runs, so a terminal status always comes with
 * all node runs. Node runs are sent in order; a gap is a write in flight, and the stream waits for
 * it. The start of a node run is sent after all earlier ends: when Redis announces it, or else with
 * its end. Calls of sub-nodes run, and overlap, within the run of their node, whose end follows
 * theirs.
 */
export class ExecutionEventStream implements Follower {
  readonly #options: ExecutionEventStreamOptions;
  readonly #signal: AbortSignal;
  #nodeRuns: number;
  #status: ExecutionStatus | undefined;
  /** Running node runs, as announced over Redis, by key, in the order of their announcement. */
  readonly #running = new Map<string, NodeStarted>();
  /** Keys of the node runs whose start was sent, but not their end. */
  readonly #begun = new Set<string>();
  /** Keys of the last ended node runs: Redis may announce a start again after its end. */
  readonly #ended = new Set<string>();
  /**
   * From the client's position: starts of node runs that began after this many ends were sent
   * before the reconnect.
   */
  readonly #sentBefore: number | undefined;
  #awake = true;
  #onWake: () => void = () => {};

  constructor(options: ExecutionEventStreamOptions) {
    this.#options = options;
    const { nodeRuns, started, status } = options.position;
    this.#nodeRuns = nodeRuns;
    this.#sentBefore = started ? nodeRuns : undefined;
    this.#status = status;
    this.#signal = AbortSignal.any([options.signal, options.feed.closing]);
    this.#signal.addEventListener('abort', () => this.#onWake(), { once: true });
  }

  get userId(): string {
    return this.#options.userId;
  }

  wake(): void {
    this.#awake = true;
    this.#onWake();
  }

  started(node: NodeStarted): void {
    if (this.#ended.has(keyOf(node))) return;
    this.#running.set(keyOf(node), node);
    this.wake();
  }

  /**
   * Ends after a terminal status, and when the execution is deleted, the client disconnects or
   * loses access, or the feed closes.
   */
  async *events(): AsyncGenerator<ServerSentEvent> {
    const unfollow = this.#options.feed.follow(this.#options.executionId, this);
    try {
      for (;;) {
        await this.#awoken();
        if (this.#signal.aborted || !(await this.#options.isAllowed())) return;
        const round = await this.#round();
        yield* round.events;
        if (round.over) return;
      }
    } finally {
      unfollow();
    }
  }

  async #awoken(): Promise<void> {
    if (!this.#awake && !this.#signal.aborted) {
      await new Promise<void>((resolve) => {
        this.#onWake = resolve;
      });
    }
    this.#awake = false;
  }

  /** While Postgres is down, nothing is sent and nothing is lost. */
  async #round(): Promise<{ events: ServerSentEvent[]; over: boolean }> {
    try {
      const progress = await this.#options.feed.read(this.#options.executionId);
      if (!progress) return { events: [], over: true };
      return await this.#eventsOf(progress);
    } catch (error) {
      if (isAppError(error) && error.retryable) return { events: [], over: false };
      throw error;
    }
  }

  async #eventsOf(progress: ExecutionProgress): Promise<{ events: ServerSentEvent[]; over: boolean }> {
    const { executionId } = this.#options;
    const runs = await this.#options.executionProgress.listFinished(executionId, this.#nodeRuns, maxRunsPerRead);
    const ended = isTerminal(progress.status);
    const begins = progress.status === 'new' || progress.status === 'running';
    const more = runs.length === maxRunsPerRead;
    if (more) this.#awake = true;
    const events: ServerSentEvent[] = [];
    if (begins) events.push(...this.#statusEvents(progress));
    for (const run of runs) {
      if (run.seq !== this.#nodeRuns && !ended) break;
      events.push(...this.#startOf(run), this.#finishedEvent(run));
    }
    if (!more) events.push(...[...this.#running.values()].flatMap((node) => this.#announced(node)));
    if (!begins && !more) events.push(...this.#statusEvents(progress));
    return { events, over: ended && !more };
  }

  #statusEvents(progress: ExecutionProgress): ServerSentEvent[] {
    const { id, status, startedAt, stoppedAt, error } = progress;
    if (status === this.#status) return [];
    this.#status = status;
    const data: StatusEvent = {
      executionId: id,
      status,
      startedAt: startedAt?.toISOString() ?? null,
      stoppedAt: stoppedAt?.toISOString() ?? null,
      ...(error && { error }),
    };
    return [{ event: 'status', data, id: this.#position() }];
  }

  #finishedEvent({ seq, ...run }: FinishedNodeRun): ServerSentEvent {
    this.#nodeRuns = seq + 1;
    this.#end(keyOf(run));
    const data: NodeFinishedEvent = { executionId: this.#options.executionId, ...run };
    return { event: 'nodeFinished', data, id: this.#position() };
  }

  #end(key: string): void {
    this.#running.delete(key);
    this.#begun.delete(key);
    this.#ended.add(key);
    const [oldest] = this.#ended;
    if (this.#ended.size > maxEnded && oldest !== undefined) this.#ended.delete(oldest);
  }

  /** The start of a running node, once all ends before it are sent. */
  #announced(node: NodeStarted): ServerSentEvent[] {
    return node.seq <= this.#nodeRuns ? this.#startOf(node) : [];
  }

  /** No event if it was sent already or is unknown: node runs of old versions have no times. */
  #startOf(run: Pick<FinishedNodeRun, 'seq' | 'nodeName' | 'runIndex' | 'startTime'>): ServerSentEvent[] {
    const { seq, nodeName, runIndex, startTime } = run;
    const key = keyOf(run);
    if (this.#begun.has(key) || startTime === null || seq === this.#sentBefore) return [];
    this.#begun.add(key);
    const data: NodeStartedEvent = { executionId: this.#options.executionId, nodeName, runIndex, startTime };
    return [{ event: 'nodeStarted', data, id: this.#position() }];
  }

  #position(): string {
    const started = this.#begun.size > 0 || this.#sentBefore === this.#nodeRuns;
    return formatPosition({ nodeRuns: this.#nodeRuns, started, status: this.#status ?? 'new' });
  }
}

function keyOf({ nodeName, runIndex }: Pick<NodeStarted, 'nodeName' | 'runIndex'>): string {
  return `${runIndex} ${nodeName}`;
}
