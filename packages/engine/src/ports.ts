import type {
  AiCounts,
  ErrorRecord,
  ExecutionMode,
  JsonObject,
  JsonValue,
  NodeRunRecord,
  ResponseChunk,
  ResumeEvent,
  RunData,
  SuspendedRun,
  Suspension,
  TriggerStart,
  WebhookResponse,
  WorkflowGraph,
  WorkflowNode,
} from '@sluice/domain';
import type {
  BinaryAccess,
  ChatHistory,
  CommandAccess,
  CredentialPorts,
  DataTableAccess,
  FileAccess,
  HttpAuthentication,
  HttpClient,
  NodeLogger,
  NodeType,
  SeenHistory,
  WorkflowAccess,
} from '@sluice/node-sdk';
import type { Sandbox } from '@sluice/sandbox';

/** Finds node types by identifier, aliases included. */
export interface NodeTypeProvider {
  /** `undefined` if no such type is installed. */
  find(type: string): NodeType | undefined;
}

/** A node run that is about to start. */
export interface NodeStart {
  nodeName: string;
  runIndex: number;
  /**
   * Whether the run may have external effects. False if its type only computes, or if nothing is
   * executed.
   */
  mayAct: boolean;
  /**
   * The run is a call of a sub-node, within the run of another node. Only such runs overlap others.
   */
  isSubRun?: boolean;
}

/** Receives finished node runs. */
export interface RunRecorder {
  /**
   * Called before a node starts, unless its run is replayed. The node starts when the returned
   * promise resolves; a rejection ends the run.
   */
  nodeStarted?(start: NodeStart): void | Promise<void>;
  /**
   * Called once for each node run, in the order in which they end: calls of sub-nodes come before
   * the run of their node. A returned promise acts as back-pressure: the engine starts no further
   * node until it resolves. A rejection ends the run with its reason.
   */
  nodeFinished(record: NodeRunRecord): void | Promise<void>;
}

/** Provides credentials for the nodes of one execution. The engine does not retain them. */
export interface CredentialProvider {
  /**
   * Reads the data of a credential and checks at call time that the workflow may use it. Throws
   * like `ExecuteContext.credentials`.
   */
  open(credential: { id: string; type: string }, signal: AbortSignal): Promise<JsonObject>;
  /**
   * The credential as authentication for HTTP requests. Throws like
   * `ExecuteContext.authentication`.
   */
  authentication(credential: { id: string; type: string }, signal: AbortSignal): Promise<HttpAuthentication>;
  /** Adds a secret to those redacted from records and logs. */
  hide(secret: string): void;
  /** JSON of data as recorded: without the secrets known so far. Absent: unchanged. */
  withoutSecrets?(json: string, signal: AbortSignal): string | Promise<string>;
  /**
   * The client for nodes: sends a secret that `open` returned only to the hosts of its credential.
   * Absent: the client itself.
   */
  guarded?(http: HttpClient): HttpClient;
}

/**
 * Dependencies of the engine; one object for all executions of a process. Derived data of a graph
 * (its index and compiled parameters) is cached per ports and graph object, so pass the same
 * objects again.
 */
export interface EnginePorts {
  nodeTypes: NodeTypeProvider;
  sandbox: Sandbox;
  http: HttpClient;
  connect: CredentialPorts['connect'];
  /** Absent: nodes have no access to files of the machine. */
  files?: FileAccess;
  /** Absent: nodes cannot run programs. */
  commands?: CommandAccess;
  /** Milliseconds since the epoch. */
  now(): number;
  /** Absent: errors that node code throws from timers and events are not attributed to nodes. */
  uncaughtErrors?: UncaughtErrorPort;
  /** Absent: the event loop is not watched. */
  inFlight?: InFlightPort;
}

/** Records which nodes run, for the watchdog's log line about a stuck event loop. */
export interface InFlightPort {
  /** Returns the ticket that `leave` takes. */
  enter(executionId: string, workflowId: string, nodeName: string): number;
  leave(entry: number): void;
}

/** Runs node code so that its uncaught errors are attributed to the node. */
export interface UncaughtErrorPort {
  run<T>(
    owner: { logger?: Pick<NodeLogger, 'error'>; failed?(error: unknown, kind: 'thrown' | 'rejected'): void },
    work: () => T,
  ): T;
}

/** Start and extent of a run (Contract 4.4 and 4.10). */
export interface RunStart {
  /**
   * Nodes to start from. Their inputs come from `runData`, or are one empty item if it has none.
   * Absent: the start node of the graph.
   */
  startNodes?: readonly string[];
  /** Runs only the nodes that lead to this one, and stops after it. */
  destinationNode?: string;
  /** Starts at this trigger with these items; `startNodes` is ignored. */
  trigger?: TriggerStart;
  /**
   * Node runs of an earlier execution, provided by the caller: inputs of `startNodes` and data for
   * `$("x")`.
   */
  runData?: RunData;
}

/**
 * Limits for an execution and all executions that it calls. A call beyond a limit fails with
 * `AI_LIMIT_REACHED`.
 */
export interface AiLimits {
  maxModelCalls: number;
  maxToolCalls: number;
  /** Total tokens of all models; no call starts once they are used up. */
  maxTokens: number;
  /** Total known cost of all models; no call starts once it is spent. */
  maxCostUsd: number;
  /** Used if a provider does not report the cost. */
  prices?: readonly ModelPrice[];
}

/** Price of a model in USD, for a million tokens. */
export interface ModelPrice {
  /** The model name, or a prefix followed by `*`. */
  model: string;
  input: number;
  output: number;
}

/** One run of one graph. */
export interface RunRequest {
  executionId: string;
  workflow: { id: string; projectId: string; name: string; active: boolean };
  graph: WorkflowGraph;
  mode: ExecutionMode;
  start: RunStart;
  /**
   * Node runs that are already done (after a retry or a takeover). When the walk reaches them, they
   * are replayed instead of executed and are not reported to the recorder again. The walk depends
   * only on outputs, so it takes the same path. Only successful runs that still have their data are
   * replayed; other runs are executed and reported again.
   */
  done: readonly NodeRunRecord[];
  /**
   * The node run to resume when the walk reaches it, with its event. `done` contains all earlier
   * runs.
   */
  resumed?: SuspendedRun & { event: ResumeEvent };
  timezone: string;
  /**
   * Limit of node runs, including replayed ones; the run then ends with an error. Absent: no limit.
   */
  maxNodeRuns?: number;
  /** Limits for calls of sub-nodes. Absent: no limits. */
  aiLimits?: AiLimits;
  /**
   * Adds usage of this execution to the total of all executions that share its limits. Resolves to
   * that total; `undefined` if the execution no longer exists. `before`: usage of `done`, in case
   * nothing has been counted yet. Absent: the limits apply to this execution alone.
   */
  countAi?(added: AiCounts, before: AiCounts): Promise<AiCounts | undefined>;
  /** URLs that resume the execution while it waits, for `$execution`. */
  resume?: { url: string; formUrl: string };
  /** Reads the workflow's static data, once, on first use. Absent: no static data. */
  staticData?(): Promise<JsonObject | null>;
  /** Values that a node of the workflow has seen in earlier executions. Absent: not stored. */
  history?(node: WorkflowNode): SeenHistory;
  /** The conversation of a session of the workflow. Absent: no conversation is stored. */
  chatHistory?: (session: string) => ChatHistory;
  /** Data tables of the workflow's project. Absent: no data tables. */
  dataTables?: DataTableAccess;
  vars: Readonly<Record<string, JsonValue>>;
  env: Readonly<Record<string, string>>;
  recorder: RunRecorder;
  credentials: CredentialProvider;
  binary: BinaryAccess;
  /** Absent: nodes cannot start other workflows. */
  workflows?: WorkflowAccess;
  /** Responds to the request that started the run. Absent: there is no such request. */
  respond?(response: WebhookResponse, signal: AbortSignal): Promise<boolean>;
  /** Streams a part of the response during the run. Absent: the client accepts no streaming. */
  stream?(chunk: ResponseChunk): Promise<void>;
  signal: AbortSignal;
  logger: NodeLogger;
}

/**
 * How a run ended. `aborted`: the signal fired, and the caller decides what that means. `waiting`:
 * the run resumes when the event in `suspension` arrives; pass `suspended` as `resumed`. The
 * recorder has the run data.
 */
export type RunOutcome =
  | {
      status: 'success';
      lastNodeExecuted?: string;
      /**
       * The complete parts of the workflow's static data that nodes changed, by key. Absent: no
       * changes.
       */
      staticData?: JsonObject;
    }
  | { status: 'error'; error: ErrorRecord; lastNodeExecuted?: string }
  | { status: 'waiting'; suspension: Suspension; suspended: SuspendedRun; lastNodeExecuted?: string }
  | { status: 'aborted'; reason: unknown; lastNodeExecuted?: string };
