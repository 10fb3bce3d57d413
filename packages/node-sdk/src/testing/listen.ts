import type { ExecutionStatus, Item, JsonObject } from '@sluice/domain';
import type { NodeType } from '../node-type.ts';
import type { EmitOptions, EmittedExecution } from '../triggers/listen.ts';
import { type FakeEvent, type FakeFiles, type FakeSource, fakeSourceContext } from './fake-source.ts';

export interface FakeListener {
  /** Started executions in order; repeated keys appear once. */
  readonly events: readonly FakeEvent[];
  /** Errors that the listener passed to `failed`. */
  readonly failures: readonly unknown[];
  readonly cursor: JsonObject | undefined;
  readonly files: FakeFiles;
  /**
   * Stops the listener as deactivation does: the signal fires and the handle is closed. Safe to
   * repeat.
   */
  close(): Promise<void>;
}

export interface ListenOptions extends FakeSource {
  /** Runs before an event is accepted; `emit` rejects with its errors. */
  beforeCommit?: (event: FakeEvent) => Promise<void> | void;
  /** How executions end. Default: immediately, with success. */
  ended?: (event: FakeEvent) => Promise<ExecutionStatus>;
}

/**
 * Starts a listener as a process does for an active workflow. Rejects with the errors of `trigger`.
 */
export async function listen(type: NodeType, options: ListenOptions = {}): Promise<FakeListener> {
  if (!type.trigger) throw new TypeError(`${type.description.name} has no trigger`);
  const accepted = new TakenEvents(options);
  const failures: unknown[] = [];
  const files: FakeFiles = new Map();
  const ending = new AbortController();
  const handle = await type.trigger({
    ...fakeSourceContext(options, type.description.version, files),
    signal: options.signal ? AbortSignal.any([options.signal, ending.signal]) : ending.signal,
    emit: (items, emitOptions) => accepted.emit(items, emitOptions),
    saveCursor: async (next) => accepted.saveCursor(next),
    failed: (error) => void failures.push(error),
  });
  let closing: Promise<void> | undefined;
  const close = async () => {
    ending.abort(new Error('the listener was closed'));
    await handle.close();
  };
  return {
    events: accepted.events,
    failures,
    files,
    get cursor() {
      return accepted.cursor;
    },
    close: () => {
      closing ??= close();
      return closing;
    },
  };
}

/** Emitted events, with the semantics of the database. */
class TakenEvents {
  readonly events: FakeEvent[] = [];
  cursor: JsonObject | undefined;
  readonly #options: ListenOptions;
  /** Key → id of the execution that it started. */
  readonly #keys = new Map<string, number>();

  constructor(options: ListenOptions) {
    this.#options = options;
    this.cursor = options.cursor;
  }

  emit(items: readonly Item[], { output = 0, key, cursor }: EmitOptions = {}): Promise<EmittedExecution> {
    const accepted = this.#take({ items: structuredClone(items), output, ...(key !== undefined && { key }) }, cursor);
    accepted.catch(() => {}); // as in a process: an unhandled rejection is harmless
    return accepted;
  }

  saveCursor(next: JsonObject): void {
    this.cursor = structuredClone(next);
  }

  async #take(event: FakeEvent, cursor: JsonObject | undefined): Promise<EmittedExecution> {
    const { beforeCommit, ended } = this.#options;
    await beforeCommit?.(event);
    const previousId = event.key === undefined ? undefined : this.#keys.get(event.key);
    const id = previousId ?? this.events.push(event);
    if (event.key !== undefined) this.#keys.set(event.key, id);
    if (cursor) this.saveCursor(cursor);
    return {
      id: String(id),
      repeated: previousId !== undefined,
      ended: async () => (await ended?.(event)) ?? 'success',
    };
  }
}
