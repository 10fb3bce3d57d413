import type { ExecutionMode, Item, JsonObject, JsonValue, NodeOutput, WorkflowNode } from '@sluice/domain';
import type { ConnectionType, NodeTypeDescription } from './description.ts';
import type { HttpClient } from './http.ts';
import type { SeenHistory } from './seen-history.ts';

/** Logger of a node run; every line carries the execution and node. */
export interface NodeLogger {
  debug(fields: object, message: string): void;
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

/** User code as a Code node hands it over. It runs in the sandbox, never in the host's realm. */
export interface CodeRequest {
  source: string;
  /** `allItems`: one call that sees all items; `eachItem`: one call per item; `functionItem`: the same, over the JSON alone. */
  mode: 'allItems' | 'eachItem' | 'functionItem';
}

/** What a node's `execute` is given. One per node run; not to be kept after it. */
export interface ExecuteContext {
  readonly node: Readonly<WorkflowNode>;
  /** The node's type version, default filled in. */
  readonly typeVersion: number;
  readonly workflow: { readonly id: string; readonly name: string; readonly timezone: string };
  readonly execution: { readonly id: string; readonly mode: ExecutionMode };
  /** 0-based count of this node's runs within the execution. */
  readonly runIndex: number;
  /** Fires on cancel, deadline, lost lease and shutdown; hand it to everything that waits. */
  readonly signal: AbortSignal;
  readonly logger: NodeLogger;
  readonly http: HttpClient;
  /** Whether a failing item should become an item with `error`, rather than end the node (`onError` is not `stopWorkflow`). */
  readonly continueOnFail: boolean;

  /** Number of inputs of this node run, connected or not. */
  readonly inputCount: number;
  /** Items of an input; empty when nothing arrived there. */
  items(input?: number): readonly Item[];
  /**
   * What arrived in an earlier run of this node within the execution; empty where nothing did, or there was no such run. Costs
   * nothing to keep: an item taken from there is paired with `{ item, input, run }`.
   */
  itemsOfRun(runIndex: number, input?: number): readonly Item[];
  /** Whether items arrived at an input; a branch that ended empty does not arrive. */
  hasInput(input: number): boolean;

  /**
   * A parameter, its expressions resolved for one item. `path` is dotted: `options.timeout`. Synchronous, because all items were
   * resolved together before the node started. Absent: `fallback`. Throws the `ExpressionError` of an expression below `path`.
   */
  parameter<T extends JsonValue = JsonValue>(path: string, itemIndex: number, fallback?: T): T;

  /**
   * The data of the credential that the node names under a credential type (`node.credentials[type]`), decrypted now, its tokens
   * renewed where that was due. Not to be kept, nor put into items: what the run stores and logs has the secrets scrubbed out.
   * Throws `CREDENTIAL_NOT_SET` (the node names none), `CREDENTIAL_NOT_FOUND` (there is none of that type and id),
   * `CREDENTIAL_NOT_ACCESSIBLE` (not usable in the workflow's project), `CREDENTIAL_UNREADABLE`, and what a renewal throws.
   */
  credentials(type: string, itemIndex: number): Promise<JsonObject>;
  /** Scrubs a text made from a secret (a signed token, the value of a header) too. */
  hideSecret(secret: string): void;

  /** What the last run of this node kept, also across a retry; `$node["x"].context` shows it. `undefined` before anything was kept. */
  readonly nodeContext: Readonly<JsonObject> | undefined;
  /** Keeps `next` for the following runs, in place of what was there; forgotten when this run fails. Recorded with each run: keep it small. */
  keepNodeContext(next: JsonObject): void;

  /** Values that earlier executions have seen; absent where nobody stores them. */
  readonly history?: SeenHistory;

  /** Runs user code over the items of input 0; resolves to the items it gives. Throws `CodeError`s. */
  runCode(request: CodeRequest): Promise<Item[]>;
}

/** A node type: its description and what it does. */
export interface NodeType {
  readonly description: NodeTypeDescription;
  /**
   * The outputs of a node of this type, where version or parameters decide them; else those of the description count. Parameters are as
   * written, their expressions unresolved: outputs have to be known before the first run. The error output comes after them.
   */
  outputs?(parameters: JsonObject, typeVersion: number): readonly ConnectionType[];
  /** Programmatic nodes. Gives one array of items per output; a shorter answer means that the other outputs got nothing. */
  execute?(context: ExecuteContext): Promise<NodeOutput> | NodeOutput;
}
