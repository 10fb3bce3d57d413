import type { BinaryReference, ExecutionMode, Item, JsonObject, JsonValue, NodeOutput } from '@sluice/domain';
import type { CodeError } from './errors.ts';

/** A finished run of a node, as returned by `$("name")`. */
export interface NodeRunView {
  /** Items per output. */
  outputs: NodeOutput;
}

/**
 * The execution data that expressions and user code may read. Read lazily: only data that the
 * source text refers to is requested and passed to the sandbox, as JSON text.
 */
export interface EvaluationScope {
  /** Items of input 0: `$json`, `$binary`, `$input`, `items`. */
  readonly items: readonly Item[];
  /** Number of items, from the first, that the node accepts and that are evaluated. Absent: all. */
  readonly itemCount?: number;
  readonly runIndex: number;
  readonly node: {
    readonly id?: string;
    readonly name: string;
    readonly parameters: JsonObject;
    readonly typeVersion?: number;
  };
  /**
   * The node's parameters, compiled, if `node.parameters` contains them as written: an expression's
   * `$parameter.name` is then its value. Absent: `node.parameters` contains values, which are data.
   */
  readonly compiledParameters?: CompiledParameters | undefined;
  /** The node that produced the items; undefined for a start node. */
  readonly previousNode: { readonly name: string; readonly outputIndex: number; readonly runIndex: number } | undefined;
  readonly workflow: {
    readonly id: string;
    /** Projects share threads fairly. */
    readonly projectId: string;
    readonly name: string;
    readonly active: boolean;
    readonly timezone: string;
  };
  readonly execution: {
    readonly id: string;
    readonly mode: ExecutionMode;
    /**
     * URL that resumes the execution while it waits. Absent: `$execution.resumeUrl` is undefined.
     */
    readonly resumeUrl?: string;
    readonly resumeFormUrl?: string;
    /** The current `$execution.customData`. */
    readonly customData?: Readonly<Record<string, string>>;
  };
  /** Instance-wide variables for `$vars`, and allowed environment variables for `$env`. */
  readonly vars: Readonly<Record<string, JsonValue>>;
  readonly env: Readonly<Record<string, string>>;
  /**
   * Additional names and values, for parameters that are evaluated while their node runs:
   * `$response`.
   */
  readonly names?: Readonly<Record<string, JsonValue>> | undefined;
  /** Evaluate only this item; absent: all items. */
  readonly onlyItem?: number | undefined;
  /**
   * The time of `$now` and `$today`, in milliseconds since the epoch; the same for all items of a
   * node run.
   */
  readonly nowMs: number;

  /** Runs of another node so far; empty if it has not run, `undefined` for an unknown name. */
  runsOf(nodeName: string): readonly NodeRunView[] | undefined;
  /** The default output of another node for `$("x").all()` and similar calls. */
  outputOf(nodeName: string): number;
  /**
   * Data that a node stores between its runs, for `$node["x"].context`; `undefined` if none is
   * stored.
   */
  contextOf(nodeName: string): JsonObject | undefined;
  /** A node's parameters as written, plus the defaults of its version, for `$("x").params`. */
  parametersOf(nodeName: string): JsonObject | undefined;
  /**
   * The same parameters, compiled: `$node["x"].parameter.name` is the value of the expression for
   * the current item of this node. Absent: it is the parameter as written.
   */
  compiledParametersOf?(nodeName: string): CompiledParameters | undefined;
  /**
   * The item of `nodeName` from which item `itemIndex` of this node run was made, found by
   * following `pairedItem` back; `undefined` if the item bypassed that node. If no item or more
   * than one is found, an error message to throw where `.item` is used.
   */
  pairedItem(nodeName: string, itemIndex: number): { item: Item | undefined } | { error: string };
}

/**
 * A node's parameters, parsed once per workflow version. Opaque to callers; executions may share
 * it.
 */
export interface CompiledParameters {
  /** Whether the parameters contain expressions. */
  readonly dynamic: boolean;
}

/** A node's parameters with their expressions resolved for all items. */
export interface ResolvedParameters {
  /**
   * The value at a dotted path for one item; the whole tree for ''. `undefined` for a missing path.
   * The objects are shared: do not change them. Throws the `ExpressionError` of an expression at or
   * below the path.
   */
  get(path: string, itemIndex: number): JsonValue | undefined;
  /**
   * Changes to `$execution.customData` made by expressions, to be stored with the execution.
   * Absent: no changes.
   */
  readonly customData?: Readonly<Record<string, string>>;
}

/** Data that a workflow and one of its nodes store between executions. */
export interface StaticData {
  global: JsonObject;
  node: JsonObject;
}

export interface CodeRunRequest {
  source: string;
  /**
   * `python` has the names of the expression language with `_` for `$`; `pythonNative` only
   * `_items` or `_item`. Default `javaScript`.
   */
  language?: 'javaScript' | 'python' | 'pythonNative';
  /**
   * `allItems`: one run over `items`. `eachItem`: one run per item. `functionItem`: one run per
   * item, where `item` is only the JSON.
   */
  mode: 'allItems' | 'eachItem' | 'functionItem';
  scope: EvaluationScope;
  /**
   * Reads the data of `$getWorkflowStaticData`; called only for code that uses it. Absent: empty
   * objects.
   */
  staticData?: () => Promise<StaticData>;
  /**
   * Reads a file that an item refers to, of at most `maxBytes`. Rejects with `BINARY_NOT_FOUND` or
   * `BINARY_TOO_LARGE`, which the code may catch; any other error stops the run. Absent: code
   * cannot read files.
   */
  readFile?: (file: BinaryReference, maxBytes: number) => Promise<Uint8Array>;
  /**
   * For `eachItem` and `functionItem`: an item on which the code fails is reported in `failures`,
   * and the others still run.
   */
  continueOnFail?: boolean;
}

/** A file that user code created. Its bytes are not stored yet. */
export interface CodeFile {
  /** The item's files. Add the stored file's reference under `key`. */
  target: NonNullable<Item['binary']>;
  key: string;
  content: Uint8Array;
  description: { fileName?: string; mimeType?: string };
}

export interface CodeRunResult {
  items: Item[];
  /** Files that the code created, to be stored. Absent: no files. */
  files?: readonly CodeFile[];
  /**
   * Item index → why the code failed on its input item, `itemIndex`; that item is empty. Absent: no
   * failures.
   */
  failures?: ReadonlyMap<number, CodeError>;
  /** Console output of the code, one entry per call, bounded. */
  logs: string[];
  /**
   * Changes to `$execution.customData` made by the code, to be stored with the execution. Absent:
   * no changes.
   */
  customData?: Record<string, string>;
  /** Complete static data that the code changed, to be stored. Absent: unchanged. */
  staticData?: Partial<StaticData>;
}

/**
 * The only place where user text is evaluated. Plain paths and literals are evaluated in the host
 * by own-property reads. Everything else runs in QuickJS inside WebAssembly, on worker threads,
 * with a fresh guest per call.
 */
export interface Sandbox {
  /**
   * Calls that wait for a thread, per thread, without those of nodes whose last call was slow, and
   * of workflows and projects whose slow calls are at their limit.
   */
  readonly waiting: number;
  compile(parameters: JsonObject): CompiledParameters;
  /**
   * Synchronous if no expression needs the guest. Rejects with the reason of `signal` when it
   * fires.
   */
  resolve(
    compiled: CompiledParameters,
    scope: EvaluationScope,
    signal: AbortSignal,
  ): ResolvedParameters | Promise<ResolvedParameters>;
  runCode(request: CodeRunRequest, signal: AbortSignal): Promise<CodeRunResult>;
  /** Stops the worker threads. */
  close(): Promise<void>;
}

export interface SandboxOptions {
  /** Wall-clock limit of one call into the guest, in milliseconds. */
  timeoutMs: number;
  /** Limit of the guest's linear memory, in MiB. */
  memoryMb: number;
  /** Number of worker threads; they start on first use. */
  threads: number;
}
