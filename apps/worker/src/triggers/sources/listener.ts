import { setTimeout as delay } from 'node:timers/promises';
import type { SourceLease, TriggerSourceRepository } from '@sluice/db';
import { aborted, type MemoryBudget, type MemoryReservation, triggerFailed, untilAborted } from '@sluice/domain';
import type { OpenedSource } from '@sluice/engine';
import type { UncaughtErrors } from '@sluice/node-packages';
import type { ListenContext, TriggerHandle } from '@sluice/node-sdk';
import type { CredentialWatch } from './credential-watch.ts';
import { ListenerEvents, type ListenerEventsOptions } from './listener-events.ts';
import { failureMessage, isUnknownType, pauseFor, SourceTimeoutError } from './source-failure.ts';
import type { SourceLeaseKeeper } from './source-lease-keeper.ts';
import type { SourceOpener, SourceResources } from './source-opener.ts';

interface ListenerOptions extends ListenerEventsOptions {
  opener: Pick<SourceOpener, 'prepare' | 'open'>;
  leases: Pick<SourceLeaseKeeper, 'add' | 'remove'>;
  triggerSources: Pick<TriggerSourceRepository, 'fail' | 'note' | 'release' | 'succeed'>;
  uncaughtErrors: UncaughtErrors;
  memoryBudget: Pick<MemoryBudget, 'open'>;
  credentialWatch: Pick<CredentialWatch, 'watch'>;
  /** Called if the worker lacks the node's type. */
  lacks(lease: SourceLease): void;
}

/** Timeouts in milliseconds for a listener to start and to close. */
const startMs = 60_000;
const closeMs = 10_000;
/** A listener that has listened for this long works: its earlier failure is cleared. */
const steadyMs = 5_000;

/**
 * One listener in this worker:
 *
 * starting → (`trigger` resolves) → listening → (it fails, its lease is lost, the worker closes) →
 * closing → over.
 *
 * A failure at any time closes the listener, is recorded at the trigger, and causes a new start
 * after a pause, in any worker. The lease is kept until the listener is over, so that no other
 * listener starts earlier; if the lease was lost, all its writes are refused.
 */
export class Listener {
  readonly #options: ListenerOptions;
  readonly #lease: SourceLease;
  readonly #lost: AbortSignal;
  readonly #ending = new AbortController();
  readonly #resources: SourceResources;
  readonly #memory: MemoryReservation;
  readonly #events: ListenerEvents;
  #failure: { error: unknown } | undefined;

  constructor(options: ListenerOptions, lease: SourceLease) {
    this.#options = options;
    this.#lease = lease;
    this.#lost = options.leases.add(lease.leaseId);
    this.#lost.addEventListener('abort', () => this.#ending.abort(this.#lost.reason), { once: true });
    this.#resources = options.opener.prepare(lease, this.#ending.signal);
    this.#memory = options.memoryBudget.open(this.#ending.signal, { projectId: lease.projectId, isEndless: true });
    this.#events = new ListenerEvents(options, {
      lease,
      resources: this.#resources,
      memory: this.#memory,
      lost: this.#lost,
      ending: this.#ending,
    });
  }

  /** Resolves when it is over, for any reason. */
  async run(): Promise<void> {
    const { leases, uncaughtErrors } = this.#options;
    try {
      await this.#memory.run(() => uncaughtErrors.run({ failed: (error) => this.#fail(error) }, () => this.#listen()));
    } catch (error) {
      this.#fail(error);
    } finally {
      await this.#events.settle();
      await this.#releaseLease().finally(() => leases.remove(this.#lease.leaseId));
      await this.#resources.files.discard();
      this.#memory[Symbol.dispose]();
    }
  }

  async #listen(): Promise<void> {
    const { signal } = this.#ending;
    const { type, context } = await this.#options.opener.open(this.#lease, this.#resources, signal);
    const handle = checkedHandle(await this.#start(type, this.#contextOf(context)));
    this.#resources.logger.info({}, 'listener started');
    this.#watchCredentials(signal);
    const steady = delay(steadyMs, undefined, { signal }).then(() => this.#steady());
    await untilAborted(steady, signal).catch(() => undefined);
    await aborted(signal);
    await this.#close(handle);
  }

  /** Closes a handle that arrives too late. */
  async #start(type: OpenedSource['type'], context: ListenContext): Promise<TriggerHandle> {
    const { trigger } = type;
    if (!trigger) throw new TypeError(`the type of node "${this.#lease.nodeName}" does not listen`);
    const starting = (async () => trigger.call(type, context))();
    const time = AbortSignal.timeout(startMs);
    try {
      return await untilAborted(starting, AbortSignal.any([this.#ending.signal, time]));
    } catch (error) {
      starting.then((handle) => this.#close(handle)).catch(() => undefined);
      throw time.aborted && !this.#ending.signal.aborted
        ? new SourceTimeoutError('the listener did not start', startMs)
        : error;
    }
  }

  async #close(handle: TriggerHandle): Promise<void> {
    const { logger } = this.#resources;
    const closing = (async () => handle.close())();
    await untilAborted(closing, AbortSignal.timeout(closeMs)).catch((error: unknown) => {
      logger.warn({ error: failureMessage(error, this.#resources.credentials.scrubber) }, 'listener not closed in time');
    });
  }

  #watchCredentials(signal: AbortSignal): void {
    const { credentials } = this.#resources;
    const { workflowId } = this.#lease;
    this.#options.credentialWatch.watch({ workflowId, credentials, refused: (error) => this.#fail(error) }, signal);
  }

  async #steady(): Promise<void> {
    if (this.#events.hasNoted) return;
    await this.#options.triggerSources.succeed(this.#lease).catch((error: unknown) => {
      this.#resources.logger.debug({ err: error }, 'a working listener could not be recorded');
    });
  }

  #fail(error: unknown): void {
    if (this.#ending.signal.aborted) return;
    this.#failure = { error };
    this.#ending.abort(error);
  }

  /** Releases the lease, with the error; a lost lease needs no release. */
  async #releaseLease(): Promise<void> {
    const { triggerSources } = this.#options;
    const { logger, credentials } = this.#resources;
    try {
      if (!this.#failure) {
        logger.info({}, 'listener ended');
        await triggerSources.release([this.#lease.leaseId]);
        return;
      }
      triggerFailed.publish({ kind: 'listener' });
      const { error } = this.#failure;
      const message = failureMessage(error, credentials.scrubber);
      if (isUnknownType(error)) this.#options.lacks(this.#lease);
      logger.warn({ error: message, failures: this.#lease.failures + 1 }, 'listener failed');
      await triggerSources.fail(this.#lease, { error: message, pauseMs: pauseFor(error, this.#lease.failures) });
    } catch (err) {
      logger.warn({ err }, 'a listener could not be released; its lease expires');
    }
  }

  #contextOf(context: OpenedSource['context']): ListenContext {
    return {
      ...context,
      signal: this.#ending.signal,
      emit: (items, options) => this.#events.emit(items, options),
      saveCursor: (next) => this.#events.saveCursor(next),
      failed: (error) => this.#fail(error),
    };
  }
}

/**
 * The compiler does not check packages' node types, and a listener that cannot be closed would run
 * forever.
 */
function checkedHandle(handle: unknown): TriggerHandle {
  if (typeof (handle as TriggerHandle | null | undefined)?.close === 'function') return handle as TriggerHandle;
  throw new TypeError('`trigger` has to resolve to an object with close()');
}
