import type { RunWorkflowBody } from '@sluice/contract';
import {
  type Execution,
  type ExecutionInput,
  type ExecutionRepository,
  type ExecutionStarter,
  encodeGraph,
  type GraphContent,
  type GraphRepository,
  type IdempotencyKey,
  type NewExecution,
  type ShownRun,
  type StartedOnce,
  type WorkflowRepository,
} from '@sluice/db';
import {
  type ErrorRecord,
  type ExecutionId,
  type ExecutionStatus,
  GraphIndex,
  isTerminal,
  type NodeRunRecord,
  ValidationError,
  type ValidationIssue,
  type WorkflowId,
} from '@sluice/domain';
import type { ExecutionNotifier } from '@sluice/queue';
import type { Caller } from '../auth/caller.ts';
import { graphOfRequest } from '../graphs/to-graph.ts';
import { completeRunData } from './complete-run-data.ts';
import type { ExecutionEnqueuer } from './execution-enqueuer.ts';
import type { ShownRunReader } from './shown-run-reader.ts';

interface RunServiceOptions {
  workflows: WorkflowRepository;
  graphs: GraphRepository;
  executionStarter: ExecutionStarter;
  executions: ExecutionRepository;
  shownRuns: ShownRunReader;
  enqueuer: ExecutionEnqueuer;
  ended: ExecutionNotifier;
  maxNodes: number;
  /** Default time to wait for the end of a run, in milliseconds. */
  runWaitMs: number;
}

interface RunOptions {
  /** Milliseconds to wait for the end of the run; 0: no wait. Absent: the default. */
  waitMs?: number | undefined;
  idempotencyKey?: IdempotencyKey | undefined;
  /** Aborts when the client stops waiting; the run continues. */
  signal: AbortSignal;
  /** The caller with its current rights, which decide whether it sees the result. */
  renewCaller: () => Promise<Caller>;
  /** Called with the execution before the wait for its end. */
  onWait?: ((id: ExecutionId) => void) | undefined;
}

type FollowOptions = Pick<RunOptions, 'signal' | 'renewCaller' | 'onWait'> & { waitMs: number };

interface Waiting {
  waitMs: number;
  /** Aborts when the client stops waiting. */
  disconnected: AbortSignal | undefined;
  renewCaller: RunOptions['renewCaller'];
  onWait: RunOptions['onWait'];
  /** Default: the execution has ended or waits. A notification is only a hint. */
  until?: (execution: Execution) => boolean;
}

/** State of a run at the time of the response. */
export interface KnownRun {
  id: ExecutionId;
  status: ExecutionStatus;
  error: ErrorRecord | null;
  records: readonly NodeRunRecord<ShownRun>[];
}

/** Starts runs: check → insert and commit → enqueue → wait for the end (Contract 4.4). */
export class RunService {
  readonly #options: RunServiceOptions;

  constructor(options: RunServiceOptions) {
    this.#options = options;
  }

  async run(workflowId: WorkflowId, body: RunWorkflowBody, caller: Caller, options: RunOptions): Promise<KnownRun> {
    const { enqueuer, shownRuns, runWaitMs } = this.#options;
    enqueuer.assertUp();
    const started =
      (await this.#findStarted(workflowId, caller, options)) ?? (await this.#start(workflowId, body, caller, options));
    const { waitMs = runWaitMs, signal: disconnected, renewCaller, onWait } = options;
    if (waitMs <= 0 && !started.repeated) {
      await enqueuer.enqueue({ executionId: started.id, attempt: 1, workflowId });
      return { id: started.id, status: 'new', error: null, records: [] };
    }
    const waiting: Waiting = { waitMs, disconnected, renewCaller, onWait };
    const seen = waitMs > 0 ? await this.#enqueueAndWait({ ...started, workflowId }, waiting) : undefined;
    const { id, status, error } = seen ?? (await this.#read(started.id, renewCaller));
    return { id, status, error, records: status === 'new' ? [] : (await shownRuns.read(id, disconnected)).records };
  }

  /** Waits until an execution has ended, or for `waitMs`. Throws if the caller may not read it. */
  async follow(id: ExecutionId, { waitMs, signal, renewCaller, onWait }: FollowOptions): Promise<void> {
    const until = (execution: Execution) => isTerminal(execution.status);
    await this.#enqueueAndWait({ id, repeated: true }, { waitMs, disconnected: signal, renewCaller, onWait, until });
  }

  /** Returns the current state to all waiting requests: the process stops. */
  stopWaiting(): void {
    this.#options.ended.releaseAll();
  }

  /** The execution that the key of a repeated request started, even of a changed workflow. */
  async #findStarted(
    workflowId: WorkflowId,
    caller: Caller,
    { idempotencyKey }: Pick<RunOptions, 'idempotencyKey'>,
  ): Promise<StartedOnce | undefined> {
    if (!idempotencyKey) return undefined;
    const { workflows, executions } = this.#options;
    await workflows.getHead(workflowId, caller.access['project:editor']);
    const id = await executions.findStarted(idempotencyKey);
    return id === undefined ? undefined : { id, repeated: true };
  }

  async #start(
    workflowId: WorkflowId,
    body: RunWorkflowBody,
    caller: Caller,
    { idempotencyKey }: RunOptions,
  ): Promise<StartedOnce> {
    const graphHash = await this.#graphToRun(workflowId, body, caller);
    const access = caller.access['project:editor'];
    const execution: NewExecution = { workflowId, access, graphHash, mode: 'manual', userId: caller.userId, ...toInput(body) };
    return this.#insert(execution, idempotencyKey);
  }

  /**
   * Hash of the graph in the request; null for the newest version, which the insert looks up.
   */
  async #graphToRun(workflowId: WorkflowId, body: RunWorkflowBody, caller: Caller): Promise<string | null> {
    const { workflows, graphs } = this.#options;
    const access = caller.access['project:editor'];
    if (!body.workflowData) {
      if (body.startNodes || body.destinationNode !== undefined)
        assertCanStart(body, (await workflows.get(workflowId, access)).graph);
      return null;
    }
    const head = await workflows.getHead(workflowId, access);
    const graph = graphOfRequest(body.workflowData, { name: head.name, maxNodes: this.#options.maxNodes });
    assertCanStart(body, graph);
    const encoded = await encodeGraph(graph);
    if (encoded.hash !== head.graphHash) await graphs.storeForRun(workflowId, encoded);
    return encoded.hash;
  }

  async #insert(execution: NewExecution, key: IdempotencyKey | undefined): Promise<StartedOnce> {
    const { executions, executionStarter } = this.#options;
    return key ? executions.startOnce(execution, key) : { id: await executionStarter.start(execution), repeated: false };
  }

  /**
   * Resolves to the ended execution, or to `undefined` after the wait. Subscribes before each read,
   * so no end is missed.
   */
  async #enqueueAndWait(
    { id, repeated, ...workflow }: StartedOnce & { workflowId?: WorkflowId },
    waiting: Waiting,
  ): Promise<Execution | undefined> {
    const { waitMs, disconnected, renewCaller, onWait, until = isOver } = waiting;
    const endsAt = performance.now() + waitMs;
    const subscribe = () => this.#options.ended.subscribe(id, Math.max(1, endsAt - performance.now()), disconnected);
    let subscription = subscribe();
    onWait?.(id);
    try {
      const first = repeated ? await this.#read(id, renewCaller) : undefined;
      if (first && until(first)) return first;
      if (!repeated && !(await this.#options.enqueuer.enqueue({ executionId: id, attempt: 1, ...workflow }))) return undefined;
      while (await subscription.next) {
        subscription = subscribe();
        const seen = await this.#read(id, renewCaller);
        if (until(seen)) return seen;
      }
      return undefined;
    } finally {
      subscription.unsubscribe();
    }
  }

  async #read(id: ExecutionId, renewCaller: RunOptions['renewCaller']): Promise<Execution> {
    const { access } = await renewCaller();
    return this.#options.executions.get(id, access['project:viewer']);
  }
}

/** Whether the run is over for its caller. */
function isOver({ status }: Execution): boolean {
  return isTerminal(status) || status === 'waiting';
}

function assertCanStart(
  { startNodes = [], destinationNode }: RunWorkflowBody,
  graph: Pick<GraphContent, 'nodes' | 'connections'>,
): void {
  const index = new GraphIndex(graph);
  const message = 'no node has this name';
  const issues: ValidationIssue[] = [];
  if (destinationNode !== undefined && !index.nodes.has(destinationNode)) issues.push({ path: '/destinationNode', message });
  issues.push(...issuesOfStarts(startNodes, (name) => index.nodes.has(name), message));
  if (issues.length > 0) throw new ValidationError('the request names nodes that do not exist', issues);
  if (destinationNode === undefined) return;
  const leading = index.ancestorsOf([destinationNode]);
  const astray = issuesOfStarts(startNodes, (name) => leading.has(name), 'does not lead to the destination node');
  if (astray.length > 0) throw new ValidationError('the start nodes do not lead to the destination node', astray);
}

function issuesOfStarts(startNodes: readonly string[], isValid: (name: string) => boolean, message: string): ValidationIssue[] {
  const invalid = startNodes.flatMap((name, index) => (isValid(name) ? [] : [index]));
  return invalid.slice(0, 20).map((index) => ({ path: `/startNodes/${index}`, message }));
}

/** Input of the run; `{}` for a run of the whole workflow. */
function toInput({ startNodes, destinationNode, runData }: RunWorkflowBody): { input?: ExecutionInput } {
  const input: ExecutionInput = {};
  if (startNodes && startNodes.length > 0) input.startNodes = startNodes;
  if (destinationNode !== undefined) input.destinationNode = destinationNode;
  if (runData && Object.keys(runData).length > 0) input.runData = completeRunData(runData);
  return Object.keys(input).length > 0 ? { input } : {};
}
