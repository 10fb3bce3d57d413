import { AsyncLocalStorage } from 'node:async_hooks';
import type { SuspendedRun, WorkflowRun, WorkflowRunResult } from '@sluice/domain';
import type { CallKind } from './ai-usage.ts';
import { usePath } from './use-key.ts';

/** A use in progress. */
export interface ActiveUse {
  readonly nodeName: string;
  readonly runIndex: number;
  readonly key: string;
  /** For the limits of AI nodes; `undefined`: it does not count. */
  readonly kind: CallKind | undefined;
  readonly outer: ActiveUse | undefined;
  /** JSON of the input. */
  input(): string | Promise<string>;
  /** Identity in all attempts; set on first use. */
  path: string | undefined;
  /** Number of nested uses in progress. */
  inner: number;
  /** Number of workflows that it has called. */
  calls: number;
  /** Whether it waits for a workflow. */
  isBlocked: boolean;
  /** The last execution of a workflow that it called. */
  subExecution: { executionId: string; workflowId: string } | undefined;
}

/** The workflows for which a node run suspends. */
export class UsesSuspension {
  readonly runs: readonly WorkflowRun[];
  /** Identities of the calls, in the order of the runs. */
  readonly calls: readonly string[];
  readonly counted: NonNullable<SuspendedRun['counted']>;

  constructor(calls: ReadonlyMap<string, WorkflowRun>, active: Iterable<ActiveUse>) {
    this.runs = [...calls.values()];
    this.calls = [...calls.keys()];
    this.counted = { modelCalls: 0, toolCalls: 0 };
    for (const { kind } of active) if (kind) this.counted[kind] += 1;
  }
}

/**
 * The uses of sub-nodes in progress: their nesting, and which of them wait for a workflow.
 *
 * A use that calls a workflow blocks, and never continues. Once every use in progress is blocked or
 * contains another use, the node run is suspended: no use starts from then on, and its code is
 * abandoned. When the workflows have ended, the node runs again. Finished uses are replayed, and
 * the calls that were blocked return at once.
 */
export class UseTree {
  readonly #current = new AsyncLocalStorage<ActiveUse>();
  readonly #active = new Set<ActiveUse>();
  readonly #calls = new Map<string, WorkflowRun>();
  readonly #results: ReadonlyMap<string, WorkflowRunResult>;
  /** Paths of uses in this attempt, and of uses that ended in an earlier attempt. */
  readonly #paths: Set<string>;
  #suspend: ((suspension: UsesSuspension) => void) | undefined;
  #isSuspended = false;

  /** `results`: call → result, of calls in an earlier attempt. `ended`: paths of recorded uses. */
  constructor(results: ReadonlyMap<string, WorkflowRunResult>, ended: Iterable<string>) {
    this.#results = results;
    this.#paths = new Set(ended);
  }

  /** The use in which the caller runs. */
  get current(): ActiveUse | undefined {
    return this.#current.getStore();
  }

  /**
   * Discards the uses of the previous work: some may still run after the failure of another use has
   * ended it.
   */
  begin(): void {
    this.#active.clear();
    this.#calls.clear();
  }

  /** Resolves like the running node's work, unless the node suspends. */
  untilSuspended<T>(work: PromiseLike<T>): Promise<T | UsesSuspension> {
    return new Promise((resolve, reject) => {
      this.#suspend = resolve;
      const over = <V>(settle: (value: V) => void) => {
        return (value: V) => {
          this.#suspend = undefined;
          settle(value);
        };
      };
      work.then(over(resolve), over(reject));
    });
  }

  /** Never resolves after the suspension. */
  async enter(use: ActiveUse): Promise<void> {
    if (this.#isSuspended) await never();
    this.#active.add(use);
    if (use.outer) use.outer.inner += 1;
  }

  within<T>(use: ActiveUse, work: () => T): T {
    return this.#current.run(use, work);
  }

  leave(use: ActiveUse): void {
    this.#active.delete(use);
    if (use.outer) use.outer.inner -= 1;
    this.#check();
  }

  /** The path of a use: the first unused path for its key and input. */
  async pathOf(use: ActiveUse): Promise<string> {
    const input = await use.input();
    for (let order = 0; use.path === undefined; order += 1) {
      const path = usePath(use.key, input, order);
      if (this.#paths.has(path)) continue;
      this.#paths.add(path);
      use.path = path;
    }
    return use.path;
  }

  /** Runs a workflow for the current use. Never resolves for a use that belongs to ended work. */
  async call(run: WorkflowRun): Promise<WorkflowRunResult> {
    const use = this.current;
    if (!use) throw new TypeError('only a use of a sub-node can call a workflow');
    const call = `${await this.pathOf(use)} ${use.calls++}`;
    if (!this.#active.has(use)) return never();
    const result = this.#results.get(call);
    if (result) {
      use.subExecution = { executionId: result.executionId, workflowId: run.workflow.id };
      return result;
    }
    this.#calls.set(call, run);
    use.isBlocked = true;
    this.#check();
    return never();
  }

  /** Suspends if nothing else is in progress, after a turn in which further uses may start. */
  #check(): void {
    if (this.#calls.size > 0) setImmediate(() => this.#suspendIfBlocked());
  }

  #suspendIfBlocked(): void {
    const isBlocked = [...this.#active].every((use) => use.isBlocked || use.inner > 0);
    if (this.#isSuspended || !isBlocked || !this.#suspend || this.#calls.size === 0) return;
    this.#isSuspended = true;
    this.#suspend(new UsesSuspension(this.#calls, this.#active));
  }
}

export function never(): Promise<never> {
  return new Promise(() => {});
}
