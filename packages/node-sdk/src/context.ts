import type { ExecutionMode, Item, JsonObject, JsonValue, NodeHint, WorkflowNode } from '@sluice/domain';
import type { BinaryAccess, FileAccess } from './binary.ts';
import type { CommandAccess } from './commands.ts';
import type { ConnectionType } from './connection-type.ts';
import type { HttpAuthentication, HttpClient } from './http.ts';
import type { CredentialPorts } from './ports.ts';
import type { SeenHistory } from './seen-history.ts';
import type { Suspension, WorkflowAccess } from './suspension.ts';
import type { NodeChunk, WebhookAnswer } from './webhook.ts';

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
  /** Default `javaScript`. `python` has all names of the expression language, `pythonNative` the items alone. */
  language?: 'javaScript' | 'python' | 'pythonNative';
  /** `allItems`: one call that sees all items; `eachItem`: one call per item; `functionItem`: the same, over the JSON alone. */
  mode: 'allItems' | 'eachItem' | 'functionItem';
}

/** What the expressions of a text see beside the usual names. */
export interface TextScope {
  names: Record<string, JsonValue>;
  /** What `$parameter` is, in place of the parameters as they are written. */
  parameters: JsonObject;
}

/** What executions of a workflow keep for later ones: a part that all nodes share, and one that is the node's own. */
export interface StaticDataAccess {
  read(): Promise<{ global: JsonObject; node: JsonObject }>;
  /** Stores the given parts, each whole, once the execution has succeeded; forgotten when this run fails. */
  keep(parts: { global?: JsonObject; node?: JsonObject }): void;
}

/** What all nodes of a workflow keep for later, outside of executions. Absent where nobody stores it. */
export interface SharedDataAccess {
  /** As it is stored now; a copy. */
  read(): Promise<JsonObject>;
  /**
   * Stores it whole: in a poll with its cursor, in a listener with its next event, in a webhook once the call has gone well; of several writers the last
   * counts. Forgotten where the poll, or the webhook, throws, and in a test by hand. 1 MB of JSON at most.
   */
  keep(next: JsonObject): void;
}

/** What a node's `execute` is given. One per node run; not to be kept after it. */
export interface ExecuteContext {
  readonly node: Readonly<WorkflowNode>;
  /** The node's type version, default filled in. */
  readonly typeVersion: number;
  /** `active`: whether executions start from it by themselves now. */
  readonly workflow: { readonly id: string; readonly name: string; readonly active: boolean; readonly timezone: string };
  /** `resumeUrl`: where a call resumes the execution when it waits; absent where nobody knows that address. */
  readonly execution: { readonly id: string; readonly mode: ExecutionMode; readonly resumeUrl?: string };
  /** 0-based count of this node's runs within the execution. */
  readonly runIndex: number;
  /** Fires on cancel, deadline, lost lease and shutdown; hand it to everything that waits. */
  readonly signal: AbortSignal;
  readonly logger: NodeLogger;
  readonly http: HttpClient;
  /** Opens a TCP connection, for protocols other than HTTP. */
  readonly connect: CredentialPorts['connect'];
  /** The files that items refer to. */
  readonly binary: BinaryAccess;
  /** Files of the machine; `undefined` where the operator allows no folder. */
  readonly files: FileAccess | undefined;
  /** Absent: the operator allows no programs. */
  readonly commands?: CommandAccess | undefined;
  /** Whether a failing item should become an item with `error`, rather than end the node (`onError` is not `stopWorkflow`). */
  readonly continueOnFail: boolean;

  /** Number of inputs of this node run, connected or not. */
  readonly inputCount: number;
  /** Numbers of the inputs that a connection leads to, in ascending order. */
  readonly connectedInputs: readonly number[];
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
   * A parameter, resolved anew for one item while the node runs, its expressions seeing further names: what the last response was,
   * say. Rejects with the `ExpressionError` of an expression at or below `path`.
   */
  evaluate<T extends JsonValue = JsonValue>(
    path: string,
    itemIndex: number,
    names: Record<string, JsonValue>,
  ): Promise<T | undefined>;

  /**
   * A text of the type's own, such as declarative routing has it, resolved for one item as if it were a parameter; it begins with `=`. Never hand in what
   * comes from items or parameters: it would be evaluated once more.
   */
  evaluateText<T extends JsonValue = JsonValue>(text: string, itemIndex: number, scope: TextScope): Promise<T | undefined>;

  /**
   * The data of the credential that the node names under a credential type (`node.credentials[type]`), decrypted now, its tokens
   * renewed where that was due. Not to be kept, nor put into items: what the run stores and logs has the secrets scrubbed out.
   * Throws `CREDENTIAL_NOT_SET` (the node names none), `CREDENTIAL_NOT_FOUND` (there is none of that type and id),
   * `CREDENTIAL_NOT_ACCESSIBLE` (not usable in the workflow's project), `CREDENTIAL_UNREADABLE`, and what a renewal throws.
   */
  credentials(type: string, itemIndex: number): Promise<JsonObject>;
  /**
   * The same credential as the part of it in HTTP requests, for `HttpRequest.authentication`: the node sees no secret. Tokens that are worked out of it
   * are scrubbed too. Throws as `credentials` does, and `NodeOperationError`s where nobody ships the type or it is not for HTTP.
   */
  authentication(type: string, itemIndex: number): Promise<HttpAuthentication>;
  /** Scrubs a text made from a secret (a signed token, the value of a header) too. */
  hideSecret(secret: string): void;

  /** What the last run of this node kept, also across a retry; `$node["x"].context` shows it. `undefined` before anything was kept. */
  readonly nodeContext: Readonly<JsonObject> | undefined;
  /** Keeps `next` for the following runs, in place of what was there; forgotten when this run fails. Recorded with each run: keep it small. */
  keepNodeContext(next: JsonObject): void;

  /**
   * Adds notes to the node run, for whoever looks at it; they stand in `hints` of its run data, also when it fails, in its last try. Of a message 1,000
   * characters are kept, of a run the first twenty notes. Absent where nobody keeps them.
   */
  addHints?(...hints: readonly NodeHint[]): void;
  /**
   * Says something about the node run beside its output: `metadata` of its run data, member by member over what was said before, also when it fails, in its
   * last try. Throws `NodeOperationError` where all of it is over 64 KB of JSON, or none. Absent where nobody keeps it.
   */
  addRunMetadata?(metadata: JsonObject): void;

  /** The nodes that lie before a node of the workflow, or behind it, along `main`; absent outside of runs. Empty for a name that no node has. */
  relatives?(nodeName: string, side: 'before' | 'behind'): readonly Readonly<WorkflowNode>[];

  /** What the workflow, and this node, keep from one execution to the next; absent where nobody stores it. */
  readonly staticData?: StaticDataAccess | undefined;

  /** Values that earlier executions have seen; absent where nobody stores them. */
  readonly history?: SeenHistory | undefined;

  /** Other workflows; `undefined` where nothing can start them. */
  readonly workflows: WorkflowAccess | undefined;
  /**
   * Ends this node run for now: what `execute` gives is left aside, and `resume` gives the outputs once what the node waits for has
   * come. For that the type needs a `resume`. Nothing in memory survives; effects outside have happened.
   */
  suspend(suspension: Suspension): void;

  /**
   * Answers the call that has started the execution; `undefined` where there is none to be answered. The first answer counts: false for
   * every later one. Throws `ANSWER_TOO_LARGE`.
   */
  readonly respond: ((answer: WebhookAnswer) => Promise<boolean>) | undefined;

  /**
   * Sends a part of the answer to the caller at once, who gets it as a line of JSON; absent where nobody takes an answer in parts. Resolves once it is on its
   * way: wait for it, so that not more is sent than can be passed on. Chunks are not stored, and one may get lost; the caller is told so, and the run
   * goes on. Throws `ANSWER_TOO_LARGE`.
   */
  readonly sendChunk?: ((chunk: NodeChunk) => Promise<void>) | undefined;

  /**
   * The sub-nodes that are connected over a type of connection, in the order of the workflow; disabled ones are left out. Throws
   * `UNKNOWN_NODE_TYPE` and `UNKNOWN_NODE_TYPE_VERSION`.
   */
  subNodes(type: Exclude<ConnectionType, 'main'>): Promise<readonly SubNode[]>;

  /** Runs user code over the items of input 0; resolves to the items it gives. Throws `CodeError`s. */
  runCode(request: CodeRequest): Promise<Item[]>;
}

/** A node that lends another one something, such as a model or a tool, over a connection that is not `main`. */
export interface SubNode {
  readonly name: string;
  /** Type identifier. */
  readonly type: string;
  readonly typeVersion: number;
  /** As `ExecuteContext.parameter`; expressions see the items of the node that asks. */
  parameter<T extends JsonValue = JsonValue>(path: string, itemIndex: number, fallback?: T): T;
  /** What it lends, made anew at each call (`NodeType.supply`). Throws `SUB_NODE_UNUSABLE` where its type lends nothing. */
  supply(): Promise<unknown>;
}
