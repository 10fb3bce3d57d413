import type {
  AnswerChunk,
  ErrorRecord,
  ExecutionMode,
  JsonObject,
  JsonValue,
  NodeRunRecord,
  ResumeEvent,
  RunData,
  SuspendedRun,
  Suspension,
  TriggerStart,
  WebhookAnswer,
  WorkflowGraph,
  WorkflowNode,
} from '@sluice/domain';
import type {
  BinaryAccess,
  CommandAccess,
  CredentialPorts,
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
export interface NodeTypeSource {
  /** `undefined`: nobody ships that type. */
  find(type: string): NodeType | undefined;
}

/** A node run that is about to begin. */
export interface NodeStart {
  nodeName: string;
  runIndex: number;
  /** Whether something outside of the execution may notice it: false where its type computes only, or nothing is executed. */
  mayAct: boolean;
}

/** Where finished node runs go. */
export interface RunRecorder {
  /** Called before a node begins, unless its run is replayed. The node does not begin until a promise that it returns resolves; a rejection ends the run. */
  nodeStarted?(start: NodeStart): void | Promise<void>;
  /**
   * Called once for each node run, in the order in which they end. It may return a promise as back-pressure: the engine starts no
   * further node until it resolves. A rejection ends the run (the caller then knows why).
   */
  nodeFinished(record: NodeRunRecord): void | Promise<void>;
}

/** Credentials for the nodes of one execution. The engine keeps nothing of what it gives. */
export interface CredentialSource {
  /**
   * The data of a credential, checked at this moment against what the execution's workflow may use; the errors are those of
   * `ExecuteContext.credentials`.
   */
  open(credential: { id: string; type: string }, signal: AbortSignal): Promise<JsonObject>;
  /** The same credential as its part in HTTP requests; throws as `ExecuteContext.authentication` says. */
  authentication(credential: { id: string; type: string }, signal: AbortSignal): Promise<HttpAuthentication>;
  /** Adds a secret to those that are kept out of records and logs. */
  hide(secret: string): void;
}

/**
 * What the engine is built from; one object for all executions of a process. What is worked out about a graph (its index, its
 * compiled parameters) is kept per ports and graph object, so hand in the same objects again.
 */
export interface EnginePorts {
  nodeTypes: NodeTypeSource;
  sandbox: Sandbox;
  http: HttpClient;
  connect: CredentialPorts['connect'];
  /** Absent: nodes reach no file of the machine. */
  files?: FileAccess;
  /** Absent: nodes run no programs. */
  commands?: CommandAccess;
  /** Milliseconds since the epoch. */
  now(): number;
  /** Absent: what code of nodes throws from timers and events is nobody's. */
  strays?: StrayErrorPort;
  /** Absent: nothing watches the event loop. */
  inFlight?: InFlightPort;
}

/** Records which nodes run, for the watchdog's log line about a stuck event loop. */
export interface InFlightPort {
  /** Returns the ticket that `leave` takes. */
  enter(executionId: string, workflowId: string, nodeName: string): number;
  leave(entry: number): void;
}

/** Runs code of nodes so that what it throws where nobody can catch it finds its owner. */
export interface StrayErrorPort {
  run<T>(
    owner: { logger?: Pick<NodeLogger, 'error'>; failed?(error: unknown, kind: 'thrown' | 'rejected'): void },
    work: () => T,
  ): T;
}

/** Where and how far a run goes (Contract 4.4 and 4.10). */
export interface RunStart {
  /** Nodes to start from, their inputs taken from `runData`; one empty item where it has none. Absent: the start node of the graph. */
  startNodes?: readonly string[];
  /** Run only what leads to this node, and stop after it. */
  destinationNode?: string;
  /** Begin at this trigger, with these items; `startNodes` do not count then. */
  trigger?: TriggerStart;
  /** Node runs of an earlier run, given by the caller: inputs of `startNodes`, and what `$("x")` finds. */
  runData?: RunData;
}

/** One run of one graph. */
export interface RunRequest {
  executionId: string;
  workflow: { id: string; name: string; active: boolean };
  graph: WorkflowGraph;
  mode: ExecutionMode;
  start: RunStart;
  /**
   * Node runs that are already done (a retry, a take-over): they are replayed instead of executed, as long as the walk asks for
   * them, and are not reported to the recorder again. The walk is a function of outputs, so it takes the same way as before.
   * Only successful runs with their data count; any other is executed, and reported, anew.
   */
  done: readonly NodeRunRecord[];
  /** The node run that goes on, once the walk comes to it, and with what; `done` holds all before it. */
  resumed?: SuspendedRun & { event: ResumeEvent };
  timezone: string;
  /** Node runs, replayed ones included, after which the run ends with an error. Absent: no limit. */
  maxNodeRuns?: number;
  /** Where a call resumes the execution when it waits, for `$execution`. */
  resume?: { url: string; formUrl: string };
  /** Reads the workflow's static data; called at most once, when a node first asks. Absent: there are none. */
  staticData?(): Promise<JsonObject | null>;
  /** What the executions of the workflow have seen, for one of its nodes. Absent: nobody stores it. */
  history?(node: WorkflowNode): SeenHistory;
  vars: Readonly<Record<string, JsonValue>>;
  env: Readonly<Record<string, string>>;
  recorder: RunRecorder;
  credentials: CredentialSource;
  binary: BinaryAccess;
  /** Absent: nothing can start other workflows. */
  workflows?: WorkflowAccess;
  /** Answers the call that has started the run; absent: there is none. */
  respond?(answer: WebhookAnswer, signal: AbortSignal): Promise<boolean>;
  /** Hands on a part of the answer while the run goes on; absent: nobody takes it in parts. */
  stream?(chunk: AnswerChunk): Promise<void>;
  signal: AbortSignal;
  logger: NodeLogger;
}

/**
 * How a run ended. `aborted`: the signal fired; what that means is the caller's to say. `waiting`: it goes on when what `suspension`
 * names has come, with `suspended` as `resumed`. Data of the run went to the recorder.
 */
export type RunOutcome =
  | {
      status: 'success';
      lastNodeExecuted?: string;
      /** The parts of the workflow's static data that nodes changed, whole, by their keys. Absent: none. */
      staticData?: JsonObject;
    }
  | { status: 'error'; error: ErrorRecord; lastNodeExecuted?: string }
  | { status: 'waiting'; suspension: Suspension; suspended: SuspendedRun; lastNodeExecuted?: string }
  | { status: 'aborted'; reason: unknown; lastNodeExecuted?: string };
