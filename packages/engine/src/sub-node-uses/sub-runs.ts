import {
  type Item,
  type JsonObject,
  type NodeRun,
  type NodeRunRecord,
  ownProperty,
  stringifyJson,
  toErrorRecord,
  type WorkflowNode,
  type WorkflowRun,
  type WorkflowRunResult,
} from '@sluice/domain';
import type { CapabilityType, TokenUsage } from '@sluice/node-sdk';
import type { CredentialProvider, RunRecorder, RunRequest } from '../ports.ts';
import type { AiUsage, CallKind } from './ai-usage.ts';
import { toRecorded, toRecordedJson } from './recorded-value.ts';
import { useKey } from './use-key.ts';
import { replayed, UseReplay } from './use-replay.ts';
import { type ActiveUse, never, type UsesSuspension, UseTree } from './use-tree.ts';

/** A try of a run of a main node. */
export interface UseRoot {
  nodeName: string;
  runIndex: number;
  /** 1-based. */
  tryNumber: number;
}

/** One call of a capability. */
export interface Use {
  /** The sub-node. */
  definition: Readonly<WorkflowNode>;
  /** Whether it has its own sub-nodes, whose uses may be within this use. */
  hasSubNodes: boolean;
  type: CapabilityType;
  method: string;
  /** Name of the tool, since a node may supply several tools. */
  tool: string | undefined;
  input: unknown;
  /** The node that makes the call. */
  parentName: string;
  /** The run of the main node at which the chain of sub-nodes begins, its try, and its `$now`. */
  root: UseRoot & { nowMs: number };
  /** Index of the item of the main node, and the item itself. */
  item: number;
  origin: Readonly<Item> | undefined;
  /** For records: the model of a capability that has one. */
  model: string | undefined;
  mayAct: boolean;
  signal: AbortSignal;
}

/** A use that has started. */
interface StartedUse extends ActiveUse {
  readonly use: Use;
  readonly startTime: number;
  readonly step: number;
}

interface SubRunsOptions {
  recorder: RunRecorder;
  now(): number;
  /** Recorded runs of the execution; new ones are numbered after them. */
  done: readonly NodeRunRecord[];
  resumed?: RunRequest['resumed'];
  usage: AiUsage;
  credentials: Pick<CredentialProvider, 'withoutSecrets'>;
}

type Ended = { output: unknown } | { error: unknown };

/**
 * Records the uses of sub-nodes as node runs: input, output, duration, tokens, model, and error.
 * Uses may overlap. A use starts when all earlier runs are stored, if it may have external effects;
 * so the result of a tool is stored before the next call of the model. Uses that were recorded by a
 * node run that did not end are replayed. Counts usage toward the execution's limits.
 */
export class SubRuns {
  readonly #options: SubRunsOptions;
  readonly #replay: UseReplay;
  readonly #tree: UseTree;
  readonly #counts = new Map<string, number>();
  /** Sub-node → its last started run. */
  readonly #lastIndex = new Map<string, number>();
  readonly #steps = new Map<string, number>();
  /** The running try; `undefined` outside runs. */
  #root: UseRoot | undefined;
  #failure: { error: unknown } | undefined;

  constructor(options: SubRunsOptions) {
    const { done, resumed } = options;
    this.#options = options;
    this.#replay = new UseReplay(done);
    this.#tree = new UseTree(resultsOf(resumed), done.map(({ run }) => run.metadata?.['path']).filter(isText));
    for (const { nodeName, runIndex } of done) {
      this.#counts.set(nodeName, Math.max(this.#counts.get(nodeName) ?? 0, runIndex + 1));
    }
  }

  /** The `$now` of a node run that began in an earlier attempt; otherwise `undefined`. */
  sinceOf(nodeName: string, runIndex: number): number | undefined {
    return this.#replay.sinceOf(nodeName, runIndex);
  }

  /**
   * Begins a try of a node run. Uses that outlive an earlier try, which ended because another use
   * failed, start nothing more.
   */
  begin(root: UseRoot): void {
    this.#root = root;
    this.#tree.begin();
  }

  /**
   * Resolves like the running node's work, unless the node suspends for a workflow that a use
   * calls.
   */
  untilSuspended<T>(work: PromiseLike<T>): Promise<T | UsesSuspension> {
    return this.#tree.untilSuspended(work);
  }

  /** See `ExecuteContext.callWorkflow`. */
  callWorkflow(run: WorkflowRun): Promise<WorkflowRunResult> {
    return this.#tree.call(run);
  }

  /**
   * Throws the error of a record that could not be written: the execution must end, even if a node
   * caught it.
   */
  assertRecorded(): void {
    if (this.#failure) throw this.#failure.error;
  }

  async call<T>(use: Use, work: () => Promise<T>): Promise<T> {
    const started = await this.#start(use);
    if (!('use' in started)) return replayed(started) as T;
    let output: T;
    try {
      output = await this.#tree.within(started, work);
    } catch (error) {
      use.signal.throwIfAborted();
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
  async *stream<T>(use: Use, open: () => AsyncIterable<T>): AsyncGenerator<T> {
    const started = await this.#start(use);
    if (!('use' in started)) {
      yield { type: 'result', result: replayed(started), isReplayed: true } as T;
      return;
    }
    let end: Ended = { output: {} };
    try {
      for await (const chunk of open()) {
        const result = (chunk as { result?: unknown }).result;
        if (result !== undefined) end = { output: result };
        yield chunk;
      }
    } catch (error) {
      use.signal.throwIfAborted();
      end = { error };
      throw error;
    } finally {
      if (!use.signal.aborted) await this.#finish(started, end);
    }
  }

  /** The use that has started, or its recorded run. */
  async #start(use: Use): Promise<StartedUse | NodeRun> {
    use.signal.throwIfAborted();
    this.assertRecorded();
    const outer = this.#tree.current;
    const asRecorded = (json: string) => this.#options.credentials.withoutSecrets?.(json, use.signal) ?? json;
    const key = await useKey(use, outer?.path, asRecorded);
    const input = async () => asRecorded(await stringifyJson(toRecordedJson(use.input), { signal: use.signal }));
    const recorded = this.#replay.has(key) ? await this.#replay.take(key, await input()) : undefined;
    if (recorded) {
      this.#stepOf(use);
      return recorded;
    }
    if (this.#root && !isSameTry(this.#root, use.root)) await never();
    const { nodeName, runIndex } = this.#number(use);
    const step = this.#stepOf(use);
    const kind = kindOf(use);
    const fresh = { path: undefined, inner: 0, calls: 0, isBlocked: false, subExecution: undefined };
    const startTime = this.#options.now();
    const active: StartedUse = { ...fresh, use, nodeName, runIndex, key, kind, outer, input, step, startTime };
    await this.#tree.enter(active);
    try {
      if (kind) await this.#options.usage.start(kind, nodeName);
      if (use.hasSubNodes) await this.#tree.pathOf(active);
      const start = { nodeName, runIndex, mayAct: use.mayAct, isSubRun: true };
      await this.#recorded(() => this.#options.recorder.nodeStarted?.(start));
      use.signal.throwIfAborted();
    } catch (error) {
      this.#tree.leave(active);
      throw error;
    }
    return active;
  }

  #number({ definition: { name: nodeName } }: Use): { nodeName: string; runIndex: number } {
    const runIndex = this.#counts.get(nodeName) ?? 0;
    this.#counts.set(nodeName, runIndex + 1);
    this.#lastIndex.set(nodeName, runIndex);
    return { nodeName, runIndex };
  }

  /** 1-based order of the start within the run of the main node. */
  #stepOf({ root }: Use): number {
    const key = JSON.stringify([root.nodeName, root.runIndex]);
    const step = (this.#steps.get(key) ?? 0) + 1;
    this.#steps.set(key, step);
    return step;
  }

  async #finish(started: StartedUse, end: Ended): Promise<void> {
    const { nodeName, runIndex } = started;
    const executionTime = this.#options.now() - started.startTime;
    try {
      const run = await this.#runOf(started, end, executionTime);
      await this.#recorded(() => this.#options.recorder.nodeFinished({ nodeName, runIndex, run }));
    } finally {
      this.#tree.leave(started);
    }
  }

  async #runOf(
    { use, startTime, step, key, path, outer, subExecution }: StartedUse,
    end: Ended,
    executionTime: number,
  ): Promise<NodeRun> {
    const { type, method, model, definition, root } = use;
    const usage = 'output' in end ? usageOf(end.output) : undefined;
    const output = 'output' in end ? toRecorded(end.output, !isAnswer(type)) : undefined;
    const metadata: JsonObject = {
      use: method,
      step,
      ...(model !== undefined && { model }),
      ...(usage && { ...(await this.#options.usage.add(model, usage)) }),
      key,
      ...(path !== undefined && { path }),
      ...(subExecution && { subExecution }),
      ...(outer === undefined && { since: root.nowMs }),
      ...output?.marks,
    };
    return {
      startTime,
      executionTime,
      executionStatus: 'error' in end ? 'error' : 'success',
      source: [this.#sourceOf(use, outer)],
      inputOverride: { [type]: [[{ json: toRecordedJson(use.input) }]] },
      ...('error' in end && { error: { ...toErrorRecord(end.error), node: definition.name } }),
      ...(output && { data: { [type]: [[{ json: output.json }]] } }),
      metadata,
    };
  }

  /** The use that made this use; otherwise the last use, or the run, of the node that made it. */
  #sourceOf({ parentName, root }: Use, outer: ActiveUse | undefined): NodeRun['source'][number] {
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

/** Results of the workflows that uses of the resumed node run have called. */
function resultsOf(resumed: RunRequest['resumed']): ReadonlyMap<string, WorkflowRunResult> {
  if (!resumed?.calls || resumed.event.kind !== 'workflows') return new Map();
  const { results } = resumed.event;
  return new Map(resumed.calls.flatMap((call, index) => (results[index] ? [[call, results[index]] as const] : [])));
}

function isSameTry(a: UseRoot, b: UseRoot): boolean {
  return a.nodeName === b.nodeName && a.runIndex === b.runIndex && a.tryNumber === b.tryNumber;
}

function kindOf({ type }: Use): CallKind | undefined {
  if (type === 'ai_languageModel') return 'modelCalls';
  return type === 'ai_tool' ? 'toolCalls' : undefined;
}

/**
 * Whether the output of a use must be recorded in full: calls of models and tools must not be
 * repeated.
 */
function isAnswer(type: CapabilityType): boolean {
  return type === 'ai_languageModel' || type === 'ai_tool';
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}

function usageOf(output: unknown): TokenUsage | undefined {
  if (typeof output !== 'object' || output === null) return undefined;
  const usage = ownProperty(output as JsonObject, 'usage');
  return typeof usage === 'object' && usage !== null ? (usage as TokenUsage) : undefined;
}
