import type { ExecutionMode, Item, JsonObject, JsonValue, NodeOutput } from '@sluice/domain';
import type { CodeError } from './errors.ts';

/** One finished run of a node, as `$("name")` sees it. */
export interface NodeRunView {
  /** Items per output. */
  outputs: NodeOutput;
}

/**
 * What expressions and user code may see of an execution. Read lazily: only what the source text refers to is asked for, and
 * only that crosses into the sandbox, as JSON text.
 */
export interface EvaluationScope {
  /** Items of input 0: `$json`, `$binary`, `$input`, `items`. */
  readonly items: readonly Item[];
  /** How many of them, from the first on, the node takes: what is evaluated for each item is evaluated for these. Absent: all. */
  readonly itemCount?: number;
  readonly runIndex: number;
  readonly node: {
    readonly id?: string;
    readonly name: string;
    readonly parameters: JsonObject;
    readonly typeVersion?: number;
  };
  /** The node that the items came from; undefined for a start node. */
  readonly previousNode: { readonly name: string; readonly outputIndex: number; readonly runIndex: number } | undefined;
  readonly workflow: { readonly id: string; readonly name: string; readonly active: boolean; readonly timezone: string };
  readonly execution: {
    readonly id: string;
    readonly mode: ExecutionMode;
    /** Where a call resumes the execution when it waits; absent: `$execution.resumeUrl` is undefined. */
    readonly resumeUrl?: string;
    readonly resumeFormUrl?: string;
    /** What `$execution.customData` has so far. */
    readonly customData?: Readonly<Record<string, string>>;
  };
  /** Instance-wide variables for `$vars`, and the allow-listed part of the environment for `$env`. */
  readonly vars: Readonly<Record<string, JsonValue>>;
  readonly env: Readonly<Record<string, string>>;
  /** Further names and their values, for parameters that are evaluated while their node runs: `$response`. Lent by the host, read by the guest. */
  readonly names?: Readonly<Record<string, JsonValue>> | undefined;
  /** Evaluate for this item alone; absent: for all. */
  readonly onlyItem?: number | undefined;
  /** Milliseconds since the epoch that `$now` and `$today` mean: the same for all items of a node run. */
  readonly nowMs: number;

  /** Runs of another node so far; `undefined`: no node of that name; empty: it has not run. */
  runsOf(nodeName: string): readonly NodeRunView[] | undefined;
  /** What that node keeps between its runs, for `$node["x"].context`; `undefined` as long as it kept nothing. */
  contextOf(nodeName: string): JsonObject | undefined;
  /** That node's parameters as written, with the defaults of its version, for `$("x").params`. */
  parametersOf(nodeName: string): JsonObject | undefined;
  /**
   * The item of `nodeName` that item `itemIndex` of this node run was made from, following `pairedItem` back through the run.
   * An error message (to throw where `.item` is used) when there is none or more than one.
   */
  pairedItem(nodeName: string, itemIndex: number): { item: Item } | { error: string };
}

/** A node's parameters, parsed once per workflow version; opaque to callers, safe to share between executions. */
export interface CompiledParameters {
  /** Whether any expression is in them. */
  readonly dynamic: boolean;
}

/** A node's parameters with their expressions resolved for all items. */
export interface ResolvedParameters {
  /**
   * The value at a dotted path for one item; the whole tree for ''. `undefined` where nothing is at that path. Shared objects:
   * do not change them. Throws the `ExpressionError` of an expression that failed at or below the path.
   */
  get(path: string, itemIndex: number): JsonValue | undefined;
  /** What the expressions set of `$execution.customData`, to be kept with the execution. Absent: nothing. */
  readonly customData?: Readonly<Record<string, string>>;
}

/** What a workflow, and one of its nodes, keep from one execution to the next. */
export interface StaticData {
  global: JsonObject;
  node: JsonObject;
}

export interface CodeRunRequest {
  source: string;
  /** `python` has the names of the expression language with `_` for `$`; `pythonNative` only `_items` or `_item`. Default `javaScript`. */
  language?: 'javaScript' | 'python' | 'pythonNative';
  /** `allItems`: one run over `items`; `eachItem`: one run an item; `functionItem`: the same, but `item` is the JSON alone. */
  mode: 'allItems' | 'eachItem' | 'functionItem';
  scope: EvaluationScope;
  /** Reads what `$getWorkflowStaticData` hands out; called only for code that asks for it. Absent: empty objects. */
  staticData?: () => Promise<StaticData>;
  /** In `eachItem` and `functionItem`: an item at which the code fails is told in `failures`, and the others are run. */
  continueOnFail?: boolean;
}

export interface CodeRunResult {
  items: Item[];
  /** Index of an item → why the code failed at its input item, `itemIndex`; the item is empty. Absent: it failed at none. */
  failures?: ReadonlyMap<number, CodeError>;
  /** What the code wrote to `console`, one entry a call, bounded. */
  logs: string[];
  /** What the code set of `$execution.customData`, to be kept with the execution. Absent: nothing. */
  customData?: Record<string, string>;
  /** Static data that the code changed, whole, to be stored. Absent: what did not change. */
  staticData?: Partial<StaticData>;
}

/**
 * Where user text is evaluated: the only such place. Expressions that are plain paths and literals are walked in the host by
 * own-property reads; all else runs in QuickJS inside WebAssembly, on worker threads, a fresh guest for each call.
 */
export interface Sandbox {
  compile(parameters: JsonObject): CompiledParameters;
  /** Synchronous when no expression needs the guest. Rejects with the reason of `signal` when it fires. */
  resolve(
    compiled: CompiledParameters,
    scope: EvaluationScope,
    signal: AbortSignal,
  ): ResolvedParameters | Promise<ResolvedParameters>;
  runCode(request: CodeRunRequest, signal: AbortSignal): Promise<CodeRunResult>;
  /** Ends the worker threads. */
  close(): Promise<void>;
}

export interface SandboxOptions {
  /** Wall-clock limit of one call into the guest, in milliseconds. */
  timeoutMs: number;
  /** Limit of the guest's linear memory, in MiB. */
  memoryMb: number;
  /** Worker threads; they start at first use. */
  threads: number;
  /** A thread that had nothing to do for so many milliseconds ends, and its memory goes back. Default 60,000. */
  idleMs?: number;
}
