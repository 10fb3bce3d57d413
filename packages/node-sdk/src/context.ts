import type { ExecutionMode, Item, JsonObject, JsonValue, NodeHint, NodeOutput, WorkflowNode } from '@sluice/domain';
import type { BinaryAccess, FileAccess } from './access/binary.ts';
import type { CommandAccess } from './access/commands.ts';
import type { DataTableAccess } from './access/data-tables.ts';
import type { CredentialPorts } from './access/ports.ts';
import type { ChatHistory, SeenHistory, StaticDataAccess } from './access/stored-data.ts';
import type { Suspension, WorkflowAccess, WorkflowRun, WorkflowRunResult } from './access/workflows.ts';
import type { CapabilityType, Connected, TokenUsage } from './ai/index.ts';
import type { ConnectionType } from './connection-type.ts';
import type { HttpAuthentication, HttpClient } from './http/http.ts';
import type { NodeChunk, WebhookResponse } from './triggers/webhook.ts';

/** Logger of a node run. Every line carries the execution and the node. */
export interface NodeLogger {
  debug(fields: object, message: string): void;
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

/** User code of a Code node. It runs in the sandbox, never in the host's realm. */
export interface CodeRequest {
  source: string;
  /**
   * Default `javaScript`. `python` has all names of the expression language; `pythonNative` has
   * only the items.
   */
  language?: 'javaScript' | 'python' | 'pythonNative';
  /**
   * `allItems`: one call with all items. `eachItem`: one call per item. `functionItem`: one call
   * per item, with only its JSON.
   */
  mode: 'allItems' | 'eachItem' | 'functionItem';
}

/** A model call that a node makes itself, without a sub-node. */
export interface ModelCall<T> {
  /** For records and for the price. */
  model: string;
  /** An answer's tokens and cost, if the provider reports them. */
  usageOf(answer: T): TokenUsage;
  /** The answer must be JSON if the call has a `record`. */
  send(): Promise<T>;
  /**
   * Records the call as a separate node run, like the use of a sub-node. A node that runs again
   * after a crash or a wait gets the recorded answer to the same request. For nodes that have
   * tools.
   */
  record?: { itemIndex: number; request: JsonValue } | undefined;
}

/** Additional names for a string's expressions. */
export interface TextScope {
  names: Record<string, JsonValue>;
  /** Value of `$parameter`, instead of the node's parameters. */
  parameters: JsonObject;
}

/** The context of `execute`: one per node run, invalid after it. */
export interface ExecuteContext {
  readonly node: Readonly<WorkflowNode>;
  /** The node's type version, with the default filled in. */
  readonly typeVersion: number;
  /** `active`: whether triggers currently start executions of the workflow. */
  readonly workflow: {
    readonly id: string;
    readonly projectId: string;
    readonly name: string;
    readonly active: boolean;
    readonly timezone: string;
  };
  /**
   * `resumeUrl`: the URL that resumes the execution while it waits; `resumeFormUrl`: the URL of the
   * form that it waits for. Absent if unknown.
   */
  readonly execution: {
    readonly id: string;
    readonly mode: ExecutionMode;
    readonly resumeUrl?: string;
    readonly resumeFormUrl?: string;
  };
  /** 0-based count of this node's runs within the execution. */
  readonly runIndex: number;
  /**
   * Fires on cancellation, deadline, lost lease, and shutdown. Pass it to every operation that
   * waits.
   */
  readonly signal: AbortSignal;
  readonly logger: NodeLogger;
  readonly http: HttpClient;
  /** Opens a TCP connection, for protocols other than HTTP. */
  readonly connect: CredentialPorts['connect'];
  /** The files that the items refer to. */
  readonly binary: BinaryAccess;
  /** Files on the server; `undefined` if the operator allows no folder. */
  readonly files: FileAccess | undefined;
  /** Absent if the operator allows no programs. */
  readonly commands?: CommandAccess | undefined;
  /**
   * Whether a failing item should become an item with `error` instead of failing the node
   * (`onError` is not `stopWorkflow`).
   */
  readonly continueOnFail: boolean;

  /** Number of inputs of this node run, connected or not. */
  readonly inputCount: number;
  /** Indices of the connected inputs, in ascending order. */
  readonly connectedInputs: readonly number[];
  /** Whether the workflow uses the legacy execution order; see the setting `executionOrder`. */
  readonly isLegacyOrder?: boolean;
  /** Items of an input; empty if nothing arrived there. */
  items(input?: number): readonly Item[];
  /**
   * Items of an earlier run of this node in the execution; empty if nothing arrived or the run does
   * not exist. Nothing is copied: pair such an item with `{ item, input, run }`.
   */
  itemsOfRun(runIndex: number, input?: number): readonly Item[];
  /** Whether items arrived at an input. A branch that ended without items does not count. */
  hasInput(input: number): boolean;

  /**
   * A parameter with its expressions resolved for one item. `path` is dotted: `options.timeout`.
   * Synchronous, because all items are resolved before the node starts. Returns `fallback` if
   * absent. Throws the `ExpressionError` of an expression below `path`.
   */
  parameter<T extends JsonValue = JsonValue>(path: string, itemIndex: number, fallback?: T): T;

  /**
   * Resolves a parameter again for one item during the run, with additional names for its
   * expressions, such as the last response. Rejects with the `ExpressionError` of an expression at
   * or below `path`.
   */
  evaluate<T extends JsonValue = JsonValue>(
    path: string,
    itemIndex: number,
    names: Record<string, JsonValue>,
  ): Promise<T | undefined>;

  /**
   * Resolves a string of the node type, such as declarative routing, for one item as if it were a
   * parameter. The text starts with `=`. Never pass text from items or parameters: it would be
   * evaluated a second time.
   */
  evaluateText<T extends JsonValue = JsonValue>(text: string, itemIndex: number, scope: TextScope): Promise<T | undefined>;

  /**
   * Decrypts the credential that the node names for a credential type (`node.credentials[type]`),
   * with its tokens renewed if due. Do not store it or put it into items. Secrets are redacted from
   * everything that the run stores and logs.
   *
   * Throws `CREDENTIAL_NOT_SET` (the node has no such credential), `CREDENTIAL_NOT_FOUND` (no
   * credential has that type and ID), `CREDENTIAL_NOT_ACCESSIBLE` (not usable in the workflow's
   * project), `CREDENTIAL_UNREADABLE`, and errors of a renewal.
   */
  credentials(type: string, itemIndex: number): Promise<JsonObject>;
  /**
   * The same credential for `HttpRequest.authentication`; no secret is exposed to the node. Tokens
   * derived from it are redacted too. Throws the errors of `credentials`, and `NodeOperationError`
   * if the type is not installed or not for HTTP.
   */
  authentication(type: string, itemIndex: number): Promise<HttpAuthentication>;
  /** Redacts a string derived from a secret (a signed token, a header value) as well. */
  hideSecret(secret: string): void;

  /**
   * Data that the node's last run stored, even across a retry. Available as `$node["x"].context`.
   * `undefined` if nothing is stored yet.
   */
  readonly nodeContext: Readonly<JsonObject> | undefined;
  /**
   * Replaces the data for later runs. Discarded if this run fails. Recorded with each run, so keep
   * it small.
   */
  setNodeContext(next: JsonObject): void;

  /**
   * Adds a string by which the execution can be found, as `$execution.customData` does. It is kept
   * even if the run fails later. Throws `NodeOperationError` beyond the limits: 10 strings, keys of
   * 50 letters, digits, and `_`, and values of 255 characters. Absent if strings are not stored.
   */
  addCustomData?(key: string, value: string): void;

  /**
   * Adds hints for readers of the node run, stored as `hints` in its run data, even if the last try
   * fails. Limits: 1,000 characters per message, 20 hints per run. Absent if hints are not stored.
   */
  addHints?(...hints: readonly NodeHint[]): void;
  /**
   * Adds metadata about the node run, merged by member into `metadata` in its run data. It is kept
   * even if the last try fails. Throws `NodeOperationError` if the total exceeds 64 KB of JSON or
   * is not JSON. Absent if it is not stored.
   */
  addRunMetadata?(metadata: JsonObject): void;

  /**
   * Lists the nodes before or after a node of the workflow along `main`. Empty for an unknown name.
   * Absent outside of runs.
   */
  relatives?(nodeName: string, side: 'before' | 'after'): readonly Readonly<WorkflowNode>[];

  /**
   * Data of the workflow and of this node that persists between executions; absent if it is not
   * stored.
   */
  readonly staticData?: StaticDataAccess | undefined;

  /** Values seen by earlier executions; absent if they are not stored. */
  readonly history?: SeenHistory | undefined;

  /** The conversation of one of the workflow's sessions; absent outside of the service. */
  readonly chatHistory?: ((session: string) => ChatHistory) | undefined;

  /** Data tables of the workflow's project; absent outside of the service. */
  readonly dataTables?: DataTableAccess | undefined;

  /** Other workflows; `undefined` if nothing can start them. */
  readonly workflows: WorkflowAccess | undefined;
  /**
   * Suspends this node run: the output of `execute` is discarded, and `resume` returns the outputs
   * once the awaited event arrives. The type must have a `resume`. State in memory is lost;
   * external effects remain.
   */
  suspend(suspension: Suspension): void;

  /**
   * Responds to the request that started the execution; `undefined` if no request started it. Only
   * the first response is sent: later calls return false. Throws `ANSWER_TOO_LARGE`.
   */
  readonly respond: ((response: WebhookResponse) => Promise<boolean>) | undefined;

  /**
   * Streams a part of the response to the client as a line of JSON; absent if the client does not
   * accept streaming. Await it for back-pressure: it resolves once the chunk is on its way. Chunks
   * are not stored. If one is lost, the caller is notified and the run continues. Throws
   * `ANSWER_TOO_LARGE`.
   */
  readonly sendChunk?: ((chunk: NodeChunk) => Promise<void>) | undefined;

  /**
   * The enabled sub-nodes connected over a connection type, in workflow order. Throws
   * `UNKNOWN_NODE_TYPE` and `UNKNOWN_NODE_TYPE_VERSION`.
   */
  subNodes(type: Exclude<ConnectionType, 'main'>): Promise<readonly SubNode[]>;
  /**
   * Returns the capabilities that the enabled sub-nodes of a connection type supply for an item, in
   * workflow order; a sub-node with several tools has an entry for each. Every call of a recorded
   * method becomes a node run of the sub-node and counts toward the execution's limits. Throws the
   * errors of `subNodes`, and `SUB_NODE_UNUSABLE` if a type supplies something else.
   */
  connected<T extends CapabilityType>(type: T, itemIndex: number): Promise<readonly Connected<T>[]>;
  /**
   * In `supply`: runs the `execute` of the sub-node's type for one item of the node that uses it,
   * with parameters resolved again. `args`: the values of `$fromAI()`. Absent outside of sub-nodes.
   */
  runAsTool?(args: JsonObject, itemIndex: number): Promise<NodeOutput>;
  /**
   * In a call to a sub-node (`Tool.run`): runs a workflow and resolves to its result. Meanwhile the
   * execution does not occupy a worker. The calling node runs again after the wait, and its
   * finished calls return their recorded results, so everything else that it does must be
   * repeatable. Absent outside of sub-nodes, and where workflows cannot be started.
   */
  readonly callWorkflow?: ((run: WorkflowRun) => Promise<WorkflowRunResult>) | undefined;

  /**
   * Makes a model call that counts toward the execution's limits. A recorded call's tokens and cost
   * are in its own node run; those of other calls are added to `metadata.models` of this node run.
   * Throws `AI_LIMIT_REACHED` before the call. Absent outside of executions.
   */
  modelCall?<T>(call: ModelCall<T>): Promise<T>;

  /**
   * Runs user code over the items of input 0 and resolves to the items that it returns. Throws
   * `CodeError`s.
   */
  runCode(request: CodeRequest): Promise<Item[]>;
}

/**
 * A node that supplies a capability, such as a model or a tool, to another node over a connection
 * other than `main`.
 */
export interface SubNode {
  readonly name: string;
  /** Type identifier. */
  readonly type: string;
  readonly typeVersion: number;
  /**
   * Same as `ExecuteContext.parameter`. Expressions can use the items of the node that uses the
   * sub-node.
   */
  parameter<T extends JsonValue = JsonValue>(path: string, itemIndex: number, fallback?: T): T;
  /**
   * The value that the sub-node supplies for an item (default: the first), created again at each
   * call (`NodeType.supply`). Its use is not recorded. Throws `SUB_NODE_UNUSABLE` if its type
   * supplies nothing.
   */
  supply(itemIndex?: number): Promise<unknown>;
}
