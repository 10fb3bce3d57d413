import { type NodeRun, type NodeRunRecord, stringifyJson, type WorkflowRun, type WorkflowRunResult } from '@sluice/domain';
import type { CredentialProvider, RunRecorder, RunRequest } from '../ports.ts';
import type { AiUsage } from './ai-usage.ts';
import { callKey } from './call-key.ts';
import { type EndedCall, recordOf, type StartedCall } from './call-record.ts';
import { CallReplay, replayed } from './call-replay.ts';
import { type CallsSuspension, CallTree, never } from './call-tree.ts';
import { toRecordedJson } from './recorded-value.ts';
import { type CallRoot, isSameTry, kindOf, type SubNodeCall } from './sub-node-call.ts';

interface SubRunsOptions {
  recorder: RunRecorder;
  now(): number;
  /** Recorded runs of the execution; new ones are numbered after them. */
  done: readonly NodeRunRecord[];
  resumed?: RunRequest['resumed'];
  usage: AiUsage;
  credentials: Pick<CredentialProvider, 'withoutSecrets'>;
}

/**
 * Records the calls of sub-nodes as node runs: input, output, duration, tokens, model, and error.
 * Calls may overlap. A call starts when all earlier runs are stored, if it may have external
 * effects; so the result of a tool is stored before the next call of the model. Calls that were
 * recorded by a node run that did not end are replayed. Counts usage toward the execution's limits.
 */
export class SubRuns {
  readonly #options: SubRunsOptions;
  readonly #replay: CallReplay;
  readonly #tree: CallTree;
  readonly #counts = new Map<string, number>();
  /** Sub-node → its last started run. */
  readonly #lastIndex = new Map<string, number>();
  readonly #steps = new Map<string, number>();
  /** The running try; `undefined` outside runs. */
  #root: CallRoot | undefined;
  #failure: { error: unknown } | undefined;

  constructor(options: SubRunsOptions) {
    const { done, resumed } = options;
    this.#options = options;
    this.#replay = new CallReplay(done);
    this.#tree = new CallTree(resultsOf(resumed), done.map(({ run }) => run.metadata?.['path']).filter(isText));
    for (const { nodeName, runIndex } of done) {
      this.#counts.set(nodeName, Math.max(this.#counts.get(nodeName) ?? 0, runIndex + 1));
    }
  }

  /** The `$now` of a node run that began in an earlier attempt; otherwise `undefined`. */
  sinceOf(nodeName: string, runIndex: number): number | undefined {
    return this.#replay.sinceOf(nodeName, runIndex);
  }

  /**
   * Begins a try of a node run. Calls that outlive an earlier try, which ended because another call
   * failed, start nothing more.
   */
  begin(root: CallRoot): void {
    this.#root = root;
    this.#tree.begin();
  }

  /**
   * Resolves like the running node's work, unless the node suspends for a workflow that a call
   * calls.
   */
  untilSuspended<T>(work: PromiseLike<T>): Promise<T | CallsSuspension> {
    return this.#tree.untilSuspended(work);
  }

  /** See `ExecuteContext.callWorkflow`. */
  callWorkflow(run: WorkflowRun): Promise<WorkflowRunResult> {
    return this.#tree.callWorkflow(run);
  }

  /**
   * Throws the error of a record that could not be written: the execution must end, even if a node
   * caught it.
   */
  assertRecorded(): void {
    if (this.#failure) throw this.#failure.error;
  }

  async call<T>(call: SubNodeCall, work: () => Promise<T>): Promise<T> {
    const started = await this.#start(call);
    if (!('call' in started)) return replayed(started) as T;
    let output: T;
    try {
      output = await this.#tree.within(started, work);
    } catch (error) {
      call.signal.throwIfAborted();
      await this.#finish(started, { error });
      throw error;
    }
    await this.#finish(started, { output });
    return output;
  }

  /**
   * Like `call`, for a stream whose chunk of type `result` is the output. A replayed stream has no
   * other chunk.
   */
  async *stream<T>(call: SubNodeCall, open: () => AsyncIterable<T>): AsyncGenerator<T> {
    const started = await this.#start(call);
    if (!('call' in started)) {
      yield { type: 'result', result: replayed(started), isReplayed: true } as T;
      return;
    }
    let end: EndedCall = { output: {} };
    try {
      for await (const chunk of open()) {
        const result = (chunk as { result?: unknown }).result;
        if (result !== undefined) end = { output: result };
        yield chunk;
      }
    } catch (error) {
      call.signal.throwIfAborted();
      end = { error };
      throw error;
    } finally {
      if (!call.signal.aborted) await this.#finish(started, end);
    }
  }

  /** The call that has started, or its recorded run. */
  async #start(call: SubNodeCall): Promise<StartedCall | NodeRun> {
    call.signal.throwIfAborted();
    this.assertRecorded();
    const outer = this.#tree.current;
    const asRecorded = (json: string) => this.#options.credentials.withoutSecrets?.(json, call.signal) ?? json;
    const key = await callKey(call, outer?.path, asRecorded);
    const input = async () => asRecorded(await stringifyJson(toRecordedJson(call.input), { signal: call.signal }));
    const recorded = this.#replay.has(key) ? await this.#replay.take(key, await input()) : undefined;
    if (recorded) {
      this.#stepOf(call);
      return recorded;
    }
    if (this.#root && !isSameTry(this.#root, call.root)) await never();
    const { nodeName, runIndex } = this.#number(call);
    const step = this.#stepOf(call);
    const kind = kindOf(call);
    const fresh = { path: undefined, inner: 0, workflowCalls: 0, isBlocked: false, subExecution: undefined };
    const startTime = this.#options.now();
    const active: StartedCall = { ...fresh, call, nodeName, runIndex, key, kind, outer, input, step, startTime };
    await this.#tree.enter(active);
    try {
      if (kind) await this.#options.usage.start(kind, nodeName);
      if (call.hasSubNodes) await this.#tree.pathOf(active);
      const start = { nodeName, runIndex, mayAct: call.mayAct, isSubRun: true };
      await this.#recorded(() => this.#options.recorder.nodeStarted?.(start));
      call.signal.throwIfAborted();
    } catch (error) {
      this.#tree.leave(active);
      throw error;
    }
    return active;
  }

  #number({ definition: { name: nodeName } }: SubNodeCall): { nodeName: string; runIndex: number } {
    const runIndex = this.#counts.get(nodeName) ?? 0;
    this.#counts.set(nodeName, runIndex + 1);
    this.#lastIndex.set(nodeName, runIndex);
    return { nodeName, runIndex };
  }

  /** 1-based order of the start within the run of the main node. */
  #stepOf({ root }: SubNodeCall): number {
    const key = JSON.stringify([root.nodeName, root.runIndex]);
    const step = (this.#steps.get(key) ?? 0) + 1;
    this.#steps.set(key, step);
    return step;
  }

  async #finish(started: StartedCall, ended: EndedCall): Promise<void> {
    const { nodeName, runIndex, startTime } = started;
    const { recorder, now, usage } = this.#options;
    const executionTime = now() - startTime;
    try {
      const run = await recordOf(started, ended, { usage, executionTime, source: this.#sourceOf(started) });
      await this.#recorded(() => recorder.nodeFinished({ nodeName, runIndex, run }));
    } finally {
      this.#tree.leave(started);
    }
  }

  /** The outer call; otherwise the last call, or the run, of the node that made the call. */
  #sourceOf({ call: { parentName, root }, outer }: StartedCall): NodeRun['source'][number] {
    const last = this.#lastIndex.get(parentName) ?? root.runIndex;
    const run = outer?.nodeName === parentName ? outer.runIndex : last;
    return { previousNode: parentName, ...(run !== 0 && { previousNodeRun: run }) };
  }

  async #recorded(write: () => void | Promise<void>): Promise<void> {
    try {
      await write();
    } catch (error) {
      this.#failure ??= { error };
      throw error;
    }
  }
}

/** Results of the workflows that calls of the resumed node run have called. */
function resultsOf(resumed: RunRequest['resumed']): ReadonlyMap<string, WorkflowRunResult> {
  if (!resumed?.calls || resumed.event.kind !== 'workflows') return new Map();
  const { results } = resumed.event;
  return new Map(resumed.calls.flatMap((call, index) => (results[index] ? [[call, results[index]] as const] : [])));
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}
