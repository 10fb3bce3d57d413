import {
  type AttemptRef,
  type SourceLease,
  SourceLeaseLostError,
  type SourceStart,
  type SourceStartRepository,
  type SourceStartResult,
  type TriggerSourceRepository,
} from '@sluice/db';
import {
  AppError,
  dataSize,
  GroupCommit,
  type Item,
  isAppError,
  type JsonObject,
  type MemoryReservation,
  untilAborted,
} from '@sluice/domain';
import type { EmitOptions, EmittedExecution } from '@sluice/node-sdk';
import type { EventOutcome } from '../../metrics/worker-metrics.ts';
import type { EndWaiter } from './end-waiter.ts';
import { failureMessage } from './source-failure.ts';
import type { SourceResources } from './source-opener.ts';
import { scrubbedCursor, scrubbedSharedData } from './source-state.ts';
import { startItems } from './start-items.ts';

export interface ListenerEventsOptions {
  triggerSources: Pick<TriggerSourceRepository, 'note'>;
  sourceStarts: Pick<SourceStartRepository, 'commit'>;
  ends: Pick<EndWaiter, 'ended'>;
  /** Enqueues started executions; never rejects. */
  enqueue(started: readonly AttemptRef[]): Promise<void>;
  /** Maximum JSON size of one execution's items. */
  maxBytes: number;
  /** Reports the result of each event. */
  onEvent(outcome: EventOutcome): void;
}

interface EmittingListener {
  lease: SourceLease;
  resources: SourceResources;
  /** Counts the events that wait to be stored. */
  memory: Pick<MemoryReservation, 'count' | 'passOn'>;
  /** Aborted when the lease is lost. */
  lost: AbortSignal;
  ending: AbortController;
}

/** Timeout in milliseconds for storing the events of an ended listener. */
const settleMs = 10_000;
/** Maximum number of events that wait to be committed. */
const maxPending = 1_000;
const maxKeyLength = 255;
const maxOutputs = 100;

interface Emission {
  start: SourceStart | undefined;
  cursor: JsonObject | undefined;
  shared: JsonObject | undefined;
  bytes: number;
}

/**
 * Events of one listener: prepared one after the other, and committed in groups under its lease. If
 * the lease was lost, all writes are refused.
 */
export class ListenerEvents {
  readonly #options: ListenerEventsOptions;
  readonly #lease: SourceLease;
  readonly #resources: SourceResources;
  readonly #memory: EmittingListener['memory'];
  readonly #lost: AbortSignal;
  readonly #ending: AbortController;
  readonly #commits: GroupCommit<Emission, SourceStartResult | AppError | undefined>;
  #pending = 0;
  /** Resolves once the last emission is ready to be added. */
  #prepared: Promise<unknown> = Promise.resolve();
  /** Number of events refused for lack of space since the buffer was last empty. */
  #refused = 0;
  #hasNoted = false;
  #isOver = false;
  /** Set once the listener is over and no event waits to be stored. */
  #onSettled: (() => void) | undefined;

  constructor(options: ListenerEventsOptions, { lease, resources, memory, lost, ending }: EmittingListener) {
    this.#options = options;
    this.#lease = lease;
    this.#resources = resources;
    this.#memory = memory;
    this.#lost = lost;
    this.#ending = ending;
    this.#commits = new GroupCommit((emissions) => this.#commit(emissions), {
      name: 'events',
      maxSize: 100,
      weigh: ({ bytes }) => bytes,
      maxWeight: 16 * 1024 * 1024,
    });
  }

  /** Whether refused events have been recorded at the trigger. */
  get hasNoted(): boolean {
    return this.#hasNoted;
  }

  /** See `ListenContext`. */
  emit(items: readonly Item[], options?: EmitOptions): Promise<EmittedExecution> {
    return handled(this.#startExecution(items, options));
  }

  /** See `ListenContext`. */
  saveCursor(next: JsonObject): Promise<void> {
    return handled(this.#storeCursor(next));
  }

  /**
   * Refuses further events and waits until emitted ones are stored under the lease, because
   * community packages are not notified of failures.
   */
  async settle(): Promise<void> {
    this.#isOver = true;
    if (this.#pending === 0) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#onSettled = resolve;
    await untilAborted(promise, AbortSignal.timeout(settleMs)).catch(() => undefined);
  }

  /** Resolves to the execution that the event has started, or started before. */
  async #startExecution(raw: readonly Item[], { output = 0, key, cursor }: EmitOptions = {}): Promise<EmittedExecution> {
    try {
      const { scrubber } = this.#resources.credentials;
      const { nodeName } = this.#lease;
      const outcome = await this.#add(async () => {
        const { items, bytes } = await startItems(raw, { nodeName, scrubber, maxBytes: this.#options.maxBytes });
        if (items.length === 0) throw new TypeError('an event must have at least one item');
        const start = { items, output: outputOf(output), key: keyOf(key), files: this.#resources.files.of(items) };
        return { start, cursor: cursor && (await scrubbedCursor(cursor, scrubber)), bytes };
      });
      if (outcome === undefined || isAppError(outcome)) throw outcome ?? new TypeError('the event did not start an execution');
      this.#options.onEvent(outcome.repeated ? 'repeated' : 'started');
      const { id, repeated } = outcome;
      return { id, repeated, ended: () => handled(this.#options.ends.ended(id, this.#ending.signal)) };
    } catch (error) {
      this.#options.onEvent('refused');
      const message = failureMessage(error, this.#resources.credentials.scrubber);
      this.#resources.logger.warn({ error: message }, 'event did not start an execution');
      throw error;
    }
  }

  async #storeCursor(next: JsonObject): Promise<void> {
    const { scrubber } = this.#resources.credentials;
    await this.#add(async () => ({ start: undefined, cursor: await scrubbedCursor(next, scrubber), bytes: 0 }));
  }

  /** Runs after earlier preparations, so that emissions keep their order regardless of size. */
  #inTurn<T>(prepare: () => Promise<T>): Promise<T> {
    const prepared = this.#prepared.then(prepare);
    this.#prepared = prepared.catch(() => undefined);
    return prepared;
  }

  /** Includes the changed data that all nodes of the workflow share. */
  async #commitSharing(emission: () => Promise<Omit<Emission, 'shared'>>): Promise<SourceStartResult | AppError | undefined> {
    const { shared, credentials } = this.#resources;
    let sharedData: JsonObject | undefined;
    let size = 0;
    try {
      const complete = await this.#inTurn(async () => {
        const prepared = await emission();
        size = dataSize(prepared.bytes);
        this.#memory.count(size);
        sharedData = shared.take();
        return { ...prepared, shared: sharedData && (await scrubbedSharedData(sharedData, credentials.scrubber)) };
      });
      const { files = [] } = complete.start ?? {};
      return await this.#resources.files.commit(files, async () => {
        const outcome = await this.#commits.add(complete);
        if (outcome !== undefined && !isAppError(outcome) && !outcome.repeated) this.#resources.files.referenced(files);
        return outcome;
      });
    } catch (error) {
      shared.putBack(sharedData);
      throw error;
    } finally {
      this.#memory.passOn(size);
    }
  }

  async #add(emission: () => Promise<Omit<Emission, 'shared'>>): Promise<SourceStartResult | AppError | undefined> {
    if (this.#isOver || this.#lost.reason instanceof SourceLeaseLostError) throw new SourceLeaseLostError();
    if (this.#pending >= maxPending) {
      this.#refused += 1;
      throw busyError();
    }
    this.#pending += 1;
    try {
      return await this.#commitSharing(emission);
    } finally {
      this.#pending -= 1;
      if (this.#pending === 0) this.#onSettled?.();
      if (this.#pending === 0 && this.#refused > 0) await this.#noteRefused();
    }
  }

  /** Runs after waiting events are stored, because their success would clear the error. */
  async #noteRefused(): Promise<void> {
    const { triggerSources } = this.#options;
    const refused = this.#refused;
    this.#refused = 0;
    this.#hasNoted = true;
    const error = `${refused} events were refused, since ${maxPending} waited to be stored already`;
    await triggerSources.note(this.#lease, error).catch((err: unknown) => {
      this.#resources.logger.warn({ err, refused }, 'refused events could not be recorded');
    });
  }

  /** Events start in order; the last of several cursors is kept. */
  async #commit(emissions: readonly Emission[]): Promise<(SourceStartResult | AppError | undefined)[]> {
    const starts = emissions.flatMap(({ start }) => start ?? []);
    const cursor = emissions.findLast((emission) => emission.cursor)?.cursor;
    const shared = emissions.findLast((emission) => emission.shared)?.shared;
    const outcomes = await this.#options.sourceStarts
      .commit(this.#lease, { starts, cursor, shared })
      .catch((error: unknown) => {
        if (isAppError(error) && error.code === 'TRIGGER_CLOSED') this.#ending.abort(error);
        throw error;
      });
    const byStart = new Map(starts.map((start, i) => [start, outcomes[i]]));
    const started = outcomes.flatMap((outcome) => (isAppError(outcome) || outcome.repeated ? [] : [outcome.id]));
    const { workflowId } = this.#lease;
    void this.#options.enqueue(started.map((executionId) => ({ executionId, attempt: 1, workflowId })));
    return emissions.map(({ start }) => start && byStart.get(start));
  }
}

/** A promise that need not be observed: its rejection has been logged. */
function handled<T>(promise: Promise<T>): Promise<T> {
  promise.catch(() => undefined);
  return promise;
}

function outputOf(output: number): number {
  if (Number.isInteger(output) && output >= 0 && output < maxOutputs) return output;
  throw new TypeError(`the output of an event must be a whole number from 0 to ${maxOutputs - 1}`);
}

function keyOf(key: string | undefined): string | undefined {
  if (key === undefined) return undefined;
  const isKey =
    typeof key === 'string' && key !== '' && key.length <= maxKeyLength && !key.includes('\u0000') && key.isWellFormed();
  if (isKey) return key;
  throw new TypeError(`the key of an event must be a string of 1 to ${maxKeyLength} characters`);
}

function busyError(): AppError {
  const message = `${maxPending} events of this listener wait to be stored already`;
  return new AppError({ code: 'TRIGGER_BUSY', message, kind: 'transient' });
}
