import type { ExecutionMode, Item, JsonValue, NodeOutput, WorkflowNode } from '@sluice/domain';
import type { NodeTypeDescription } from './description.ts';
import type { HttpClient } from './http.ts';

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
  /** `allItems`: one call that sees all items; `eachItem`: one call per item. */
  mode: 'allItems' | 'eachItem';
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
  /** Whether items arrived at an input; a branch that ended empty does not arrive. */
  hasInput(input: number): boolean;

  /**
   * A parameter, its expressions resolved for one item. `path` is dotted: `options.timeout`. Synchronous, because all items were
   * resolved together before the node started. Absent: `fallback`. Throws the `ExpressionError` of an expression below `path`.
   */
  parameter<T extends JsonValue = JsonValue>(path: string, itemIndex: number, fallback?: T): T;

  /** Runs user code over the items of input 0; resolves to the items it gives. Throws `CodeError`s. */
  runCode(request: CodeRequest): Promise<Item[]>;
}

/** A node type: its description and what it does. */
export interface NodeType {
  readonly description: NodeTypeDescription;
  /** Programmatic nodes. Gives one array of items per output; a shorter answer means that the other outputs got nothing. */
  execute?(context: ExecuteContext): Promise<NodeOutput> | NodeOutput;
}
