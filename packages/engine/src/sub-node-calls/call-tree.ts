import { AsyncLocalStorage } from 'node:async_hooks';
import type { SuspendedRun, WorkflowRun, WorkflowRunResult } from '@sluice/domain';
import type { CallKind } from './ai-usage.ts';
import { callPath } from './call-key.ts';

/** A call in progress. */
export interface ActiveCall {
  readonly nodeName: string;
  readonly runIndex: number;
  readonly key: string;
  /** For the limits of AI nodes; `undefined`: it does not count. */
  readonly kind: CallKind | undefined;
  readonly outer: ActiveCall | undefined;
  /** JSON of the input. */
  input(): string | Promise<string>;
  /** Identity in all attempts; set on first use. */
  path: string | undefined;
  /** Number of nested calls in progress. */
  inner: number;
  /** Number of workflows that it has run. */
  workflowCalls: number;
  /** Whether it waits for a workflow. */
  isBlocked: boolean;
  /** The last execution of a workflow that it called. */
  subExecution: { executionId: string; workflowId: string } | undefined;
}

/** The workflows for which a node run suspends. */
export class CallsSuspension {
  readonly runs: readonly WorkflowRun[];
  /** Identities of the calls, in the order of the runs. */
  readonly calls: readonly string[];
  readonly counted: NonNullable<SuspendedRun['counted']>;

  constructor(calls: ReadonlyMap<string, WorkflowRun>, active: Iterable<ActiveCall>) {
    this.runs = [...calls.values()];
    this.calls = [...calls.keys()];
    this.counted = { modelCalls: 0, toolCalls: 0 };
    for (const { kind } of active) if (kind) this.counted[kind] += 1;
  }
}

/**
 * The calls of sub-nodes in progress: their nesting, and which of them wait for a workflow.
 *
 * A call that runs a workflow blocks, and never continues. Once every call in progress is blocked
 * or contains another call, the node run is suspended: no call starts from then on, and its code is
 * abandoned. When the workflows have ended, the node runs again. Finished calls are replayed, and
 * the calls that were blocked return at once.
 */
export class CallTree {
  readonly #current = new AsyncLocalStorage<ActiveCall>();
  readonly #active = new Set<ActiveCall>();
  readonly #workflowCalls = new Map<string, WorkflowRun>();
  readonly #results: ReadonlyMap<string, WorkflowRunResult>;
  /** Paths of calls in this attempt, and of calls that ended in an earlier attempt. */
  readonly #paths: Set<string>;
  #suspend: ((suspension: CallsSuspension) => void) | undefined;
  #isSuspended = false;

  /** `results`: call → result, of calls in an earlier attempt. `ended`: paths of recorded calls. */
  constructor(results: ReadonlyMap<string, WorkflowRunResult>, ended: Iterable<string>) {
    this.#results = results;
    this.#paths = new Set(ended);
  }

  /** The call in which the caller runs. */
  get current(): ActiveCall | undefined {
    return this.#current.getStore();
  }

  /**
   * Discards the calls of the previous try: some may still run after the failure of another call
   * has ended it.
   */
  begin(): void {
    this.#active.clear();
    this.#workflowCalls.clear();
  }

  /** Resolves like the running node's work, unless the node suspends. */
  untilSuspended<T>(work: PromiseLike<T>): Promise<T | CallsSuspension> {
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
  async enter(call: ActiveCall): Promise<void> {
    if (this.#isSuspended) await never();
    this.#active.add(call);
    if (call.outer) call.outer.inner += 1;
  }

  within<T>(call: ActiveCall, work: () => T): T {
    return this.#current.run(call, work);
  }

  leave(call: ActiveCall): void {
    this.#active.delete(call);
    if (call.outer) call.outer.inner -= 1;
    this.#check();
  }

  /** The path of a call: the first unused path for its key and input. */
  async pathOf(call: ActiveCall): Promise<string> {
    const input = await call.input();
    for (let order = 0; call.path === undefined; order += 1) {
      const path = callPath(call.key, input, order);
      if (this.#paths.has(path)) continue;
      this.#paths.add(path);
      call.path = path;
    }
    return call.path;
  }

  /** Runs a workflow for the current call. Never resolves for a call that belongs to ended work. */
  async callWorkflow(run: WorkflowRun): Promise<WorkflowRunResult> {
    const call = this.current;
    if (!call) throw new TypeError('only a call of a sub-node can call a workflow');
    const workflowCall = `${await this.pathOf(call)} ${call.workflowCalls++}`;
    if (!this.#active.has(call)) return never();
    const result = this.#results.get(workflowCall);
    if (result) {
      call.subExecution = { executionId: result.executionId, workflowId: run.workflow.id };
      return result;
    }
    this.#workflowCalls.set(workflowCall, run);
    call.isBlocked = true;
    this.#check();
    return never();
  }

  /** Suspends if nothing else is in progress, after a turn in which further calls may start. */
  #check(): void {
    if (this.#workflowCalls.size > 0) setImmediate(() => this.#suspendIfBlocked());
  }

  #suspendIfBlocked(): void {
    const isBlocked = [...this.#active].every((call) => call.isBlocked || call.inner > 0);
    if (this.#isSuspended || !isBlocked || !this.#suspend || this.#workflowCalls.size === 0) return;
    this.#isSuspended = true;
    this.#suspend(new CallsSuspension(this.#workflowCalls, this.#active));
  }
}

export function never(): Promise<never> {
  return new Promise(() => {});
}
