import { setTimeout as delay } from 'node:timers/promises';
import {
  type AttemptRef,
  HoldLostError,
  type SourceHold,
  type SourceStart,
  type SourceStartRepository,
  type StartedBySource,
  type StoredBinary,
  type TriggerSourceRepository,
} from '@sluice/db';
import { AppError, GroupCommit, type Item, isAppError, type JsonObject, untilAborted } from '@sluice/domain';
import type { OpenedSource } from '@sluice/engine';
import type { UncaughtErrors } from '@sluice/node-packages';
import type { EmitOptions, EmittedExecution, ListenContext, TriggerHandle } from '@sluice/node-sdk';
import type { EventOutcome } from '../metrics/worker-metrics.ts';
import type { EndWaiter } from './end-waiter.ts';
import { failureMessage, isUnknownType, pauseFor, SourceTimeoutError } from './source-failure.ts';
import type { SourceHolds } from './source-holds.ts';
import { keptCursor, keptShared, startItems } from './source-items.ts';
import type { SourceKit, SourceOpener } from './source-opener.ts';

export interface ListenerOptions {
  opener: Pick<SourceOpener, 'kit' | 'open'>;
  holds: Pick<SourceHolds, 'add' | 'remove'>;
  triggerSources: Pick<TriggerSourceRepository, 'fail' | 'note' | 'release' | 'succeed'>;
  sourceStarts: Pick<SourceStartRepository, 'commit'>;
  ends: Pick<EndWaiter, 'ended'>;
  uncaughtErrors: UncaughtErrors;
  /** Called if the worker lacks the node's type. */
  lacks(hold: SourceHold): void;
  /** Enqueues started executions; never rejects. */
  enqueue(started: readonly AttemptRef[]): Promise<void>;
  /** Maximum JSON of the items of one execution. */
  maxBytes: number;
  /** Reports the result of each event. */
  onEvent(outcome: EventOutcome): void;
}

/**
 * Timeout in milliseconds for a listener to start, to close, and for its events until then to be
 * stored.
 */
const startMs = 60_000;
const closeMs = 10_000;
const settleMs = 10_000;
/** A listener that has listened for this long works: its earlier failure is cleared. */
const steadyMs = 5_000;
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
 * One listener in this worker:
 *
 * starting → (`trigger` resolves) → listening → (it fails, its hold is lost, the worker closes) →
 * closing → over.
 *
 * A failure at any time leads to closing, is recorded at the trigger, and causes a new start after
 * a pause, in any worker. The hold is kept until the listener is over, so that no other starts
 * before; if the hold was lost, all its writes are refused.
 */
export class Listener {
  readonly #options: ListenerOptions;
  readonly #hold: SourceHold;
  readonly #lost: AbortSignal;
  readonly #ending = new AbortController();
  readonly #kit: SourceKit;
  readonly #commits: GroupCommit<Emission, StartedBySource | AppError | undefined>;
  #failure: { error: unknown } | undefined;
  #pending = 0;
  /** Resolves once the last emission is ready to be added. */
  #prepared: Promise<unknown> = Promise.resolve();
  /** Number of events refused for lack of space since none last waited. */
  #refused = 0;
  #hasNoted = false;
  #isOver = false;
  /** Set once it is over: no event waits to be stored. */
  #onSettled: (() => void) | undefined;

  constructor(options: ListenerOptions, hold: SourceHold) {
    this.#options = options;
    this.#hold = hold;
    this.#lost = options.holds.add(hold.holdId);
    this.#lost.addEventListener('abort', () => this.#ending.abort(this.#lost.reason), { once: true });
    this.#kit = options.opener.kit(hold, this.#ending.signal);
    this.#commits = new GroupCommit((emissions) => this.#commit(emissions), {
      maxSize: 100,
      weigh: ({ bytes }) => bytes,
      maxWeight: 16 * 1024 * 1024,
    });
  }

  /** Resolves when it is over, for any reason. */
  async run(): Promise<void> {
    const { holds, uncaughtErrors } = this.#options;
    try {
      await uncaughtErrors.run({ failed: (error) => this.#fail(error) }, () => this.#listen());
    } catch (error) {
      this.#fail(error);
    } finally {
      this.#isOver = true;
      await this.#settled();
      await this.#releaseHold().finally(() => holds.remove(this.#hold.holdId));
      await this.#kit.files.discard();
    }
  }

  async #listen(): Promise<void> {
    const { signal } = this.#ending;
    const { type, context } = await this.#options.opener.open(this.#hold, this.#kit, signal);
    const handle = checkedHandle(await this.#start(type, this.#contextOf(context)));
    this.#kit.logger.info({}, 'listener started');
    await Promise.race([delay(steadyMs, undefined, { signal }).then(() => this.#steady()), ended(signal)]).catch(
      () => undefined,
    );
    await ended(signal);
    await this.#close(handle);
  }

  /** A handle that arrives too late is closed. */
  async #start(type: OpenedSource['type'], context: ListenContext): Promise<TriggerHandle> {
    const { trigger } = type;
    if (!trigger) throw new TypeError(`the type of node "${this.#hold.nodeName}" does not listen`);
    const starting = (async () => trigger.call(type, context))();
    const time = AbortSignal.timeout(startMs);
    try {
      return await untilAborted(starting, AbortSignal.any([this.#ending.signal, time]));
    } catch (error) {
      starting.then((handle) => this.#close(handle)).catch(() => undefined);
      throw time.aborted && !this.#ending.signal.aborted
        ? new SourceTimeoutError('the listener has not started', startMs)
        : error;
    }
  }

  async #close(handle: TriggerHandle): Promise<void> {
    const { logger } = this.#kit;
    const closing = (async () => handle.close())();
    await untilAborted(closing, AbortSignal.timeout(closeMs)).catch((error: unknown) => {
      logger.warn({ error: failureMessage(error, this.#kit.credentials.scrubber) }, 'listener not closed in time');
    });
  }

  async #steady(): Promise<void> {
    if (this.#hasNoted) return;
    await this.#options.triggerSources.succeed(this.#hold).catch((error: unknown) => {
      this.#kit.logger.debug({ err: error }, 'a working listener could not be recorded');
    });
  }

  #fail(error: unknown): void {
    if (this.#ending.signal.aborted) return;
    this.#failure = { error };
    this.#ending.abort(error);
  }

  /**
   * Emitted events are stored under its hold, because community packages are not notified of
   * failures.
   */
  async #settled(): Promise<void> {
    if (this.#pending === 0) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#onSettled = resolve;
    await untilAborted(promise, AbortSignal.timeout(settleMs)).catch(() => undefined);
  }

  /** Releases the hold, with the error; a lost hold needs no release. */
  async #releaseHold(): Promise<void> {
    const { triggerSources } = this.#options;
    const { logger, credentials } = this.#kit;
    try {
      if (!this.#failure) {
        logger.info({}, 'listener ended');
        await triggerSources.release([this.#hold.holdId]);
        return;
      }
      const { error } = this.#failure;
      const message = failureMessage(error, credentials.scrubber);
      if (isUnknownType(error)) this.#options.lacks(this.#hold);
      logger.warn({ error: message, failures: this.#hold.failures + 1 }, 'listener failed');
      await triggerSources.fail(this.#hold, { error: message, pauseMs: pauseFor(error, this.#hold.failures) });
    } catch (err) {
      logger.warn({ err }, 'a listener could not be released; its hold expires');
    }
  }

  #contextOf(context: OpenedSource['context']): ListenContext {
    return {
      ...context,
      signal: this.#ending.signal,
      emit: (items, options) => handled(this.#emit(items, options)),
      keepCursor: (next) => handled(this.#keepCursor(next)),
      failed: (error) => this.#fail(error),
    };
  }

  async #emit(raw: readonly Item[], { output = 0, key, cursor }: EmitOptions = {}): Promise<EmittedExecution> {
    try {
      const { scrubber } = this.#kit.credentials;
      const { nodeName } = this.#hold;
      const files: StoredBinary[] = [];
      const made = await this.#add(async () => {
        const { items, bytes } = await startItems(raw, { nodeName, scrubber, maxBytes: this.#options.maxBytes });
        if (items.length === 0) throw new TypeError('an event has at least one item');
        files.push(...this.#kit.files.of(items));
        const start = { items, output: outputOf(output), key: keyOf(key), files };
        return { start, cursor: cursor && (await keptCursor(cursor, scrubber)), bytes };
      });
      if (made === undefined || isAppError(made)) throw made ?? new TypeError('an event has started no execution');
      if (!made.repeated) this.#kit.files.held(files);
      this.#options.onEvent(made.repeated ? 'repeated' : 'started');
      const { id, repeated } = made;
      return { id, repeated, ended: () => handled(this.#options.ends.ended(id, this.#ending.signal)) };
    } catch (error) {
      this.#options.onEvent('refused');
      const message = failureMessage(error, this.#kit.credentials.scrubber);
      this.#kit.logger.warn({ error: message }, 'an event has started no execution');
      throw error;
    }
  }

  async #keepCursor(next: JsonObject): Promise<void> {
    const { scrubber } = this.#kit.credentials;
    await this.#add(async () => ({ start: undefined, cursor: await keptCursor(next, scrubber), bytes: 0 }));
  }

  /** Runs after earlier preparations, so that no emission overtakes a larger one. */
  #inTurn<T>(prepare: () => Promise<T>): Promise<T> {
    const prepared = this.#prepared.then(prepare);
    this.#prepared = prepared.catch(() => undefined);
    return prepared;
  }

  /** Includes the data that all nodes of the workflow share from then on. */
  async #commitSharing(emission: () => Promise<Omit<Emission, 'shared'>>): Promise<StartedBySource | AppError | undefined> {
    const { shared, credentials } = this.#kit;
    let taken: JsonObject | undefined;
    try {
      const whole = await this.#inTurn(async () => {
        const prepared = await emission();
        taken = shared.take();
        return { ...prepared, shared: taken && (await keptShared(taken, credentials.scrubber)) };
      });
      return await this.#commits.add(whole);
    } catch (error) {
      shared.putBack(taken);
      throw error;
    }
  }

  async #add(emission: () => Promise<Omit<Emission, 'shared'>>): Promise<StartedBySource | AppError | undefined> {
    if (this.#isOver || this.#lost.reason instanceof HoldLostError) throw new HoldLostError();
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

  /** Runs after waiting events are stored, because that success would clear the error. */
  async #noteRefused(): Promise<void> {
    const { triggerSources } = this.#options;
    const refused = this.#refused;
    this.#refused = 0;
    this.#hasNoted = true;
    const error = `${refused} events were refused, since ${maxPending} waited to be stored already`;
    await triggerSources.note(this.#hold, error).catch((err: unknown) => {
      this.#kit.logger.warn({ err, refused }, 'refused events could not be recorded');
    });
  }

  /** Events start in order; of several cursors the last one is kept. */
  async #commit(emissions: readonly Emission[]): Promise<(StartedBySource | AppError | undefined)[]> {
    const starts = emissions.flatMap(({ start }) => start ?? []);
    const cursor = emissions.findLast((emission) => emission.cursor)?.cursor;
    const shared = emissions.findLast((emission) => emission.shared)?.shared;
    const outcomes = await this.#options.sourceStarts.commit(this.#hold, { starts, cursor, shared }).catch((error: unknown) => {
      if (isAppError(error) && error.code === 'TRIGGER_CLOSED') this.#ending.abort(error);
      throw error;
    });
    const byStart = new Map(starts.map((start, i) => [start, outcomes[i]]));
    const started = outcomes.flatMap((made) => (isAppError(made) || made.repeated ? [] : [made.id]));
    void this.#options.enqueue(started.map((executionId) => ({ executionId, attempt: 1 })));
    return emissions.map(({ start }) => start && byStart.get(start));
  }
}

function ended(signal: AbortSignal): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  if (signal.aborted) resolve();
  signal.addEventListener('abort', () => resolve(), { once: true });
  return promise;
}

/** A promise that need not be observed: its rejection has been logged. */
function handled<T>(promise: Promise<T>): Promise<T> {
  promise.catch(() => undefined);
  return promise;
}

/**
 * The compiler does not check types of packages, and a listener that cannot be closed would listen
 * forever.
 */
function checkedHandle(handle: unknown): TriggerHandle {
  if (typeof (handle as TriggerHandle | null | undefined)?.close === 'function') return handle as TriggerHandle;
  throw new TypeError('`trigger` has to resolve to an object with close()');
}

function outputOf(output: number): number {
  if (Number.isInteger(output) && output >= 0 && output < maxOutputs) return output;
  throw new TypeError(`the output of an event is a whole number from 0 to ${maxOutputs - 1}`);
}

function keyOf(key: string | undefined): string | undefined {
  if (key === undefined) return undefined;
  const isKey =
    typeof key === 'string' && key !== '' && key.length <= maxKeyLength && !key.includes('\u0000') && key.isWellFormed();
  if (isKey) return key;
  throw new TypeError(`the key of an event is a text of 1 to ${maxKeyLength} characters`);
}

function busyError(): AppError {
  const message = `${maxPending} events of this listener wait to be stored already`;
  return new AppError({ code: 'TRIGGER_BUSY', message, kind: 'transient' });
}
