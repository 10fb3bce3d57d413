import type { ExecutionStatus, Item, JsonObject } from '@sluice/domain';
import type { EmitOptions, EmittedExecution } from '../listen.ts';
import type { NodeType } from '../node-type.ts';
import { type FakeEvent, type FakeFiles, type FakeSource, fakeSourceContext } from './fake-source.ts';

/** A listener of a test. */
export interface FakeListener {
  /** What it has started, in order; repeated keys once. */
  readonly events: readonly FakeEvent[];
  /** What it has said that it cannot go on for. */
  readonly failures: readonly unknown[];
  readonly cursor: JsonObject | undefined;
  readonly files: FakeFiles;
  /** Ends it as a deactivation does: the signal fires and the handle is closed. Safe to repeat. */
  close(): Promise<void>;
}

export interface ListenOptions extends FakeSource {
  /** Runs before an event is taken; what it throws, `emit` rejects with. */
  beforeCommit?: (event: FakeEvent) => Promise<void> | void;
  /** How executions end. Default: at once, with success. */
  ended?: (event: FakeEvent) => Promise<ExecutionStatus>;
}

/** Starts a listener as a process does it for an active workflow. Rejects with what `trigger` throws. */
export async function listen(type: NodeType, options: ListenOptions = {}): Promise<FakeListener> {
  if (!type.trigger) throw new TypeError(`${type.description.name} has no trigger`);
  const taken = new TakenEvents(options);
  const failures: unknown[] = [];
  const files: FakeFiles = new Map();
  const ending = new AbortController();
  const handle = await type.trigger({
    ...fakeSourceContext(options, type.description.version, files),
    signal: options.signal ? AbortSignal.any([options.signal, ending.signal]) : ending.signal,
    emit: (items, emitOptions) => taken.emit(items, emitOptions),
    keepCursor: async (next) => taken.keepCursor(next),
    failed: (error) => void failures.push(error),
  });
  let closing: Promise<void> | undefined;
  const close = async () => {
    ending.abort(new Error('the listener was closed'));
    await handle.close();
  };
  return {
    events: taken.events,
    failures,
    files,
    get cursor() {
      return taken.cursor;
    },
    close: () => {
      closing ??= close();
      return closing;
    },
  };
}

/** What a listener has emitted, as the database would have it. */
class TakenEvents {
  readonly events: FakeEvent[] = [];
  cursor: JsonObject | undefined;
  readonly #options: ListenOptions;
  /** Key → id of the execution that it has started. */
  readonly #keys = new Map<string, number>();

  constructor(options: ListenOptions) {
    this.#options = options;
    this.cursor = options.cursor;
  }

  emit(items: readonly Item[], { output = 0, key, cursor }: EmitOptions = {}): Promise<EmittedExecution> {
    const taken = this.#take({ items: structuredClone(items), output, ...(key !== undefined && { key }) }, cursor);
    taken.catch(() => {}); // as in a process: a rejection that nobody looks at harms nothing
    return taken;
  }

  keepCursor(next: JsonObject): void {
    this.cursor = structuredClone(next);
  }

  async #take(event: FakeEvent, cursor: JsonObject | undefined): Promise<EmittedExecution> {
    const { beforeCommit, ended } = this.#options;
    await beforeCommit?.(event);
    const known = event.key === undefined ? undefined : this.#keys.get(event.key);
    const id = known ?? this.events.push(event);
    if (event.key !== undefined) this.#keys.set(event.key, id);
    if (cursor) this.keepCursor(cursor);
    return {
      id: String(id),
      repeated: known !== undefined,
      ended: async () => (await ended?.(event)) ?? 'success',
    };
  }
}
