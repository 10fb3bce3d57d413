import { isAppError, type NodeRun, type NodeRunRecord, TimeSlice, toErrorRecord, userKeyed } from '@sluice/domain';
import { TooManyNodeRunsError } from './errors.ts';
import { type PreparedNode, prepareGraph } from './graph/prepared-graph.ts';
import { planStart, type StartPlan } from './graph/start-plan.ts';
import { AbortWatch } from './node/abort-watch.ts';
import type { ExecutionContext } from './node/execution-context.ts';
import { NodeRunner, Suspended } from './node/node-runner.ts';
import type { NodeTask } from './node/node-task.ts';
import { FinishedRun, type ItemSource, RunState } from './node/run-state.ts';
import { StaticDataView } from './node/static-data-view.ts';
import type { EnginePorts, RunOutcome, RunRequest } from './ports.ts';
import { AiUsage } from './sub-node-calls/ai-usage.ts';
import { SubRuns } from './sub-node-calls/sub-runs.ts';
import type { EarlierRuns } from './walk/earlier-runs.ts';
import { earlierRuns, firstTasks } from './walk/first-tasks.ts';
import { forcedTasks } from './walk/forced-branches.ts';
import { PendingTasks } from './walk/pending-tasks.ts';
import { Replay } from './walk/replay.ts';
import type { WaitingInputs } from './walk/waiting-inputs.ts';

/*
 * The walk over one graph. One node runs at a time. The order depends only on the graph and on node
 * outputs, so recorded runs can replace execution.
 *
 * States of a node in the walk:
 *   waiting   some of its inputs have items, others may still get some     (WaitingInputs)
 *   due       all inputs that it waits for have arrived                    (PendingTasks)
 *   running   at most one node                                             (NodeRunner, or Replay)
 *   finished  its items were delivered to the next nodes                   (RunState)
 * A node may be in several states at once: a loop, or a branch that arrives twice, causes further
 * runs.
 *
 * Each round of the walk:
 *   1. take the next due task; if none, the waiting node nearest to the start; if none, the walk
 *                ends with `success`
 *   2. run       replay a recorded run; otherwise notify the recorder, await it, and execute
 *   3. record    notify the recorder and await it
 *   4. stop      at a failure that ends the run: `error`; at a node that waits: `waiting`
 *   5. deliver   pass the items on; queue nodes that become due in walk order, and empty branches
 *                that the legacy order runs
 * A resumed run replays recorded runs up to the node that waited, which then continues. The signal
 * ends the run at any point with `aborted`: nothing is recorded after that.
 */

/**
 * Runs a graph to its end.
 *
 * Errors of the workflow or the request are outcomes. Rejects with errors of the recorder and on a
 * defect of the engine. Each node run is reported once; replayed runs are not reported.
 */
export async function runWorkflow(ports: EnginePorts, request: RunRequest): Promise<RunOutcome> {
  let walk: Walk;
  try {
    walk = await beginWalk(ports, request);
  } catch (error) {
    if (isAppError(error)) return { status: 'error', error: toErrorRecord(error) };
    throw error;
  }
  return walk.run();
}

async function beginWalk(ports: EnginePorts, request: RunRequest): Promise<Walk> {
  const { runData } = request.start;
  const graph = await prepareGraph(request.graph, ports);
  const plan = planStart(graph, request.start);
  const earlier: EarlierRuns = runData ? await earlierRuns(graph, plan, runData) : new Map();
  const { executionId, mode, workflow, timezone, resume, recorder, done, resumed, credentials } = request;
  const state = new RunState(earlier);
  const aiUsage = new AiUsage(request);
  const execution: ExecutionContext = {
    ports,
    request,
    graph,
    state,
    staticData: new StaticDataView(state, request.staticData),
    aiUsage,
    subRuns: new SubRuns({ recorder, now: ports.now, done, resumed, usage: aiUsage, credentials }),
    workflow: { ...workflow, timezone },
    info: { id: executionId, mode, ...(resume && { resumeUrl: resume.url, resumeFormUrl: resume.formUrl }) },
  };
  return new Walk(execution, plan, earlier);
}

class Walk {
  readonly #execution: ExecutionContext;
  readonly #plan: StartPlan;
  readonly #abort: AbortWatch;
  readonly #runner: NodeRunner;
  readonly #replay: Replay;
  readonly #pending: PendingTasks;
  readonly #waiting: WaitingInputs;
  readonly #slice = new TimeSlice();
  readonly #maxNodeRuns: number;
  #nodeRuns = 0;
  /** The node that ran last, or was about to run. */
  #last: { lastNodeExecuted?: string } = {};

  constructor(execution: ExecutionContext, plan: StartPlan, earlier: EarlierRuns) {
    const { tasks, waiting } = firstTasks(execution.graph, plan, earlier);
    this.#execution = execution;
    this.#plan = plan;
    this.#maxNodeRuns = execution.request.maxNodeRuns ?? Number.POSITIVE_INFINITY;
    this.#abort = new AbortWatch(execution.request.signal);
    this.#runner = new NodeRunner(execution, this.#abort);
    this.#replay = new Replay(execution.request.done);
    this.#pending = new PendingTasks(execution.graph.isDepthFirst);
    this.#pending.add(tasks);
    this.#waiting = waiting;
  }

  async run(): Promise<RunOutcome> {
    const { signal } = this.#abort;
    try {
      return await this.#toEnd();
    } catch (error) {
      if (!signal.aborted) throw error;
      return { status: 'aborted', reason: signal.reason, ...this.#last };
    } finally {
      this.#abort.close();
    }
  }

  async #toEnd(): Promise<RunOutcome> {
    for (;;) {
      if (this.#slice.isOver) await this.#slice.next();
      this.#abort.signal.throwIfAborted();
      const task = this.#pending.next() ?? this.#waiting.release();
      if (!task) return this.#success();
      if (++this.#nodeRuns > this.#maxNodeRuns) return this.#endless(task.node);
      this.#last = { lastNodeExecuted: task.node.name };
      const finished = await this.#finish(task);
      if (finished instanceof Suspended) return this.#suspend(finished);
      const { executionStatus, error } = finished.run;
      if (executionStatus === 'error' && error) return { status: 'error', error, ...this.#last };
      const forcing = this.#deliver(task.node, finished);
      if (forcing) await forcing;
    }
  }

  #success(): RunOutcome {
    const { staticData } = this.#execution.state;
    return { status: 'success', ...this.#last, ...(staticData.size > 0 && { staticData: userKeyed([...staticData]) }) };
  }

  #endless({ name }: PreparedNode): RunOutcome {
    return { status: 'error', error: toErrorRecord(new TooManyNodeRunsError(name, this.#maxNodeRuns)), ...this.#last };
  }

  #suspend({ suspension, run }: Suspended): RunOutcome {
    this.#abort.signal.throwIfAborted();
    return { status: 'waiting', suspension, suspended: run, ...this.#last };
  }

  async #finish(task: NodeTask): Promise<FinishedRun | Suspended> {
    const { state } = this.#execution;
    const nodeName = task.node.name;
    const runIndex = state.countOf(nodeName);
    const recorded = this.#replay.find(nodeName, runIndex);
    const run = recorded ?? (await this.#execute(task, runIndex));
    if (run instanceof Suspended) return run;
    if (!recorded) await this.#record({ nodeName, runIndex, run });
    const finished = new FinishedRun(nodeName, runIndex, run, [...task.sources]);
    state.add(finished);
    return finished;
  }

  async #execute(task: NodeTask, runIndex: number): Promise<NodeRun | Suspended> {
    const start = { nodeName: task.node.name, runIndex, mayAct: this.#runner.mayAct(task) };
    const ready = this.#abort.settle(this.#execution.request.recorder.nodeStarted?.(start));
    if (ready instanceof Promise) await ready;
    const run = await this.#runner.run(task, runIndex);
    this.#execution.subRuns.assertRecorded();
    return run;
  }

  async #record(record: NodeRunRecord): Promise<void> {
    this.#abort.signal.throwIfAborted();
    await this.#abort.settle(this.#execution.request.recorder.nodeFinished(record));
  }

  /** Asynchronous only if nodes start to wait, which is rare: a promise per node run takes time. */
  #deliver(node: PreparedNode, finished: FinishedRun): Promise<void> | undefined {
    const { destination, reach } = this.#plan;
    if (node.name === destination) return undefined;
    const due: NodeTask[] = [];
    const nowWaiting = new Map<PreparedNode, ItemSource>();
    for (const { output, target, input } of node.edges) {
      const items = finished.outputs[output];
      if (!items?.length || !reach.has(target.name)) continue;
      const source = { from: finished, output };
      const isNew = !this.#waiting.has(target);
      const task = this.#waiting.arrive(target, { input, items, source });
      if (task) due.push(task);
      else if (isNew) nowWaiting.set(target, source);
    }
    this.#pending.add(due);
    return nowWaiting.size > 0 ? this.#forceAll(nowWaiting) : undefined;
  }

  async #forceAll(nowWaiting: ReadonlyMap<PreparedNode, ItemSource>): Promise<void> {
    for (const [target, source] of nowWaiting) {
      if (this.#waiting.has(target)) this.#force(target, source);
      if (this.#slice.isOver) await this.#slice.next();
      this.#abort.signal.throwIfAborted();
    }
  }

  #force(target: PreparedNode, source: ItemSource): void {
    const { graph, state } = this.#execution;
    const walk = { state, waiting: this.#waiting, pending: this.#pending };
    this.#pending.add(forcedTasks(graph, this.#plan, walk, { target, source }));
  }
}
