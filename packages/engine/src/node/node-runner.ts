import { setTimeout as delay } from 'node:timers/promises';
import {
  type ErrorCode,
  errorMessage,
  isAppError,
  type JsonObject,
  type JsonValue,
  type NodeOutput,
  type NodeRun,
  nodeRan,
  type OnErrorPolicy,
  ownProperty,
  type PinnedItem,
  type ResumeEvent,
  type SuspendedRun,
  type Suspension,
  toErrorRecord,
  toItem,
  tracing,
  type WorkflowNode,
} from '@sluice/domain';
import { errorObject, type NodeType } from '@sluice/node-sdk';
import { InvalidParameterError, NotResumableError } from '../errors.ts';
import { implementationOf } from '../graph/implementation.ts';
import type { PreparedNode } from '../graph/prepared-graph.ts';
import { CallsSuspension } from '../sub-node-calls/call-tree.ts';
import type { AbortWatch } from './abort-watch.ts';
import { NodeContext, type StoredState } from './node-context.ts';
import { NodeInputs } from './node-inputs.ts';
import { errorOutput, isLarge, moveFailedItems, passOn, toLargeOutput, toNodeOutput } from './node-output.ts';
import { NodeScope, type RunFrame } from './node-scope.ts';
import type { NodeTask } from './node-task.ts';
import type { RunDetails } from './run-details.ts';
import { runManually } from './run-manually.ts';
import { toRunSources } from './run-state.ts';
import { watchUncaughtErrors } from './watch-uncaught-errors.ts';

/** Errors that a retry cannot fix. */
const finalErrorCodes: ReadonlySet<ErrorCode> = new Set([
  'STOP_AND_ERROR',
  'INVALID_PARAMETER',
  'UNKNOWN_NODE_TYPE',
  'UNKNOWN_NODE_TYPE_VERSION',
]);

/** Result of `execute` or `resume`. */
type Executed = NodeOutput | PromiseLike<NodeOutput>;

/** A node run in flight; shared by all its tries. */
interface ActiveRun {
  readonly task: NodeTask;
  readonly inputs: NodeInputs;
  readonly runIndex: number;
  /** `$now` of the first attempt. */
  readonly nowMs: number;
  /** Collected over all tries. */
  readonly logs: string[];
  /** Failed tries that were retried. */
  readonly failedTries: FailedTry[];
}

/** In `metadata.failedTries` of the run, for its timeline. */
interface FailedTry extends JsonObject {
  /** Milliseconds since the epoch. */
  startTime: number;
  /** Milliseconds. */
  executionTime: number;
  message: string;
}

/** Maximum length of a failed try's message, in characters. */
const maxTryMessage = 1_000;

interface TryStart {
  /** 1-based. */
  readonly tryNumber: number;
  /** The event that resumes the try; absent if it starts from the beginning. */
  readonly event: ResumeEvent | undefined;
}

/** One try of a node run and its outcome. */
type NodeTry = { readonly tryNumber: number; readonly scope: NodeScope; readonly details: RunDetails | undefined } & (
  | {
      readonly ok: true;
      readonly output: NodeOutput;
      readonly storedState: StoredState;
      readonly suspension: Suspension | undefined;
      readonly subNodeCalls?: Pick<SuspendedRun, 'calls' | 'counted'>;
    }
  | { readonly ok: false; readonly error: unknown; readonly tookAllItems: boolean }
);

/** A suspended node run. It resumes when the event it waits for arrives. */
export class Suspended {
  readonly suspension: Suspension;
  readonly run: SuspendedRun;

  constructor(suspension: Suspension, run: SuspendedRun) {
    this.suspension = suspension;
    this.run = run;
  }
}

/**
 * Turns a task into a node run. A disabled or pinned node is substituted; any other is executed
 * with its configured tries, and `onError` decides what follows a failure.
 *
 * A run with `executionStatus` `error` ends the execution. A failed run that may continue is a
 * `success` with an `error` alongside its data. A suspended run resumes in the try that suspended it.
 */
export class NodeRunner {
  readonly #frame: RunFrame;
  readonly #abort: AbortWatch;

  constructor(frame: RunFrame, abort: AbortWatch) {
    this.#frame = frame;
    this.#abort = abort;
  }

  /** Rejects only with the signal's reason, after the signal fired. */
  run(task: NodeTask, runIndex: number): Promise<NodeRun | Suspended> {
    const { tracer } = tracing;
    if (!tracer) return this.#run(task, runIndex);
    const { name, type } = task.node;
    const attributes = { 'sluice.node.name': name, 'sluice.node.run_index': runIndex };
    return tracer.span({ name: `node ${type?.description.name ?? 'unknown'}`, attributes }, async (span) => {
      const run = await this.#run(task, runIndex);
      if (run instanceof Suspended) span.set('sluice.node.suspended', true);
      else if (run.error) span.fail(run.error.code ?? 'ERROR');
      return run;
    });
  }

  async #run(task: NodeTask, runIndex: number): Promise<NodeRun | Suspended> {
    const resumed = this.#resumed(task.node.name, runIndex);
    const startTime = resumed?.startTime ?? this.#frame.ports.now();
    const inputs = new NodeInputs(task.inputs, task.node.node.executeOnce === true);
    const nowMs = this.#frame.subRuns.sinceOf(task.node.name, runIndex) ?? startTime;
    const active: ActiveRun = { task, inputs, runIndex, nowMs, logs: [], failedTries: [] };
    const run: NodeRun = { startTime, executionTime: 0, executionStatus: 'success', source: toRunSources(task.sources) };
    const preparing = inputs.prepare();
    if (preparing) await preparing;
    const replacing = this.#standIn(task, inputs);
    const standIn = replacing instanceof Promise ? await replacing : replacing;
    let completing: Promise<void> | undefined;
    if (standIn) completing = complete(run, standIn, active);
    else {
      const last = await this.#lastTry(active, resumed);
      if (last.ok && last.suspension) {
        const { suspension, subNodeCalls, tryNumber } = last;
        return new Suspended(suspension, { nodeName: task.node.name, runIndex, startTime, tryNumber, ...subNodeCalls });
      }
      completing = conclude(run, last, active);
    }
    if (completing) await completing;
    run.executionTime = this.#frame.ports.now() - startTime;
    if (!standIn) observe(run, task);
    const { logs, failedTries } = active;
    if (logs.length > 0) run.logs = logs;
    if (failedTries.length > 0) run.metadata = { ...run.metadata, failedTries };
    return run;
  }

  /** Whether the task may have external effects. A node of an unknown type has no effects. */
  mayAct({ node, output }: NodeTask): boolean {
    const mayAct = node.type !== undefined && node.type.description.computesOnly !== true;
    return mayAct && !output && !node.node.disabled && !this.#pinned(node);
  }

  #resumed(nodeName: string, runIndex: number): RunFrame['request']['resumed'] {
    const { resumed } = this.#frame.request;
    return resumed?.nodeName === nodeName && resumed.runIndex === runIndex ? resumed : undefined;
  }

  /**
   * Output of a node that is not executed: a disabled node passes on input 0, a pinned node returns
   * its pinned data, and a trigger may receive its items.
   */
  #standIn({ node, output }: NodeTask, inputs: NodeInputs): NodeOutput | Promise<NodeOutput> | undefined {
    if (output) return output;
    if (node.node.disabled) return passOn(inputs, 0);
    const pinned = this.#pinned(node);
    return pinned && [pinned.map(toItem)];
  }

  #pinned({ name }: PreparedNode): readonly PinnedItem[] | undefined {
    const { mode, graph } = this.#frame.request;
    return mode === 'manual' ? ownProperty(graph.pinData ?? {}, name) : undefined;
  }

  /** The final try: a successful one, or the last one allowed. Rejects like `run`. */
  async #lastTry(active: ActiveRun, resumed: RunFrame['request']['resumed']): Promise<NodeTry> {
    const { node } = active.task.node;
    const { tries, waitMs } = retryPolicy(node);
    let { tryNumber, event }: TryStart = resumed ?? { tryNumber: 1, event: undefined };
    if (resumed?.calls) event = undefined; // its calls receive the results, and the node runs again
    for (; tryNumber < tries; tryNumber++) {
      const startTime = this.#frame.ports.now();
      // While tries remain, a node must fail rather than continue with failed items.
      const done = await this.#execute(active, { tryNumber, event }, false);
      if (done.ok || isFinal(done.error)) return done;
      event = undefined; // the next try starts from the beginning
      const message = errorMessage(done.error).slice(0, maxTryMessage);
      active.failedTries.push({ startTime, executionTime: this.#frame.ports.now() - startTime, message });
      await delay(waitMs, undefined, { signal: this.#abort.signal }).catch(() => this.#abort.signal.throwIfAborted());
    }
    return this.#execute(active, { tryNumber, event }, errorPolicy(node) !== 'stopWorkflow');
  }

  async #execute(active: ActiveRun, { tryNumber, event }: TryStart, continueOnFail: boolean): Promise<NodeTry> {
    const { task, inputs, runIndex, nowMs, logs } = active;
    const { ports, request } = this.#frame;
    const scope = new NodeScope(this.#frame, task, inputs, { runIndex, tryNumber, nowMs });
    this.#frame.subRuns.begin({ nodeName: task.node.name, runIndex, tryNumber });
    const entry = ports.inFlight?.enter(request.executionId, request.workflow.id, task.node.name);
    let context: NodeContext | undefined;
    try {
      const { type, typeVersion } = implementationOf(task.node);
      const { errors, hints } = task.node.parameterCheck;
      if (errors.length > 0) throw new InvalidParameterError(errors);
      const resolving = ports.sandbox.resolve(task.node.compiled, scope, this.#abort.signal);
      const resolved = this.#abort.settle(resolving);
      const parameters = resolved instanceof Promise ? await resolved : resolved;
      scope.addCustomData(parameters.customData);
      context = new NodeContext({
        frame: this.#frame,
        task,
        inputs,
        scope,
        parameters,
        typeVersion,
        continueOnFail,
        logs,
      });
      if (hints.length > 0) context.details.addHints(hints.map(({ message }) => ({ message, type: 'warning' })));
      const executed = this.#abort.settle(this.#untilSuspended(this.#begin(type, context, event)));
      const result = executed instanceof Promise ? await executed : executed;
      const { storedState } = context;
      if (result instanceof CallsSuspension) {
        const { runs, calls, counted } = result;
        const suspension: Suspension = { kind: 'workflows', runs, stopAtFailure: false };
        return {
          ok: true,
          tryNumber,
          scope,
          details: context.details,
          output: [],
          storedState,
          suspension,
          subNodeCalls: { calls, counted },
        };
      }
      const { suspension } = context;
      const completed = suspension ? [] : this.#completed(result, task, inputs);
      const output = completed instanceof Promise ? await completed : completed;
      return { ok: true, tryNumber, scope, details: context.details, output, storedState, suspension };
    } catch (error) {
      this.#abort.signal.throwIfAborted();
      return { ok: false, tryNumber, scope, details: context?.details, error, tookAllItems: context?.tookAllItems ?? false };
    } finally {
      if (entry !== undefined) ports.inFlight?.leave(entry);
    }
  }

  #untilSuspended(work: Executed): Executed | Promise<NodeOutput | CallsSuspension> {
    // A community type may return anything, which is checked later.
    const isPending = typeof work === 'object' && work !== null && 'then' in work;
    return isPending ? this.#frame.subRuns.untilSuspended(work) : work;
  }

  #begin(type: NodeType, context: NodeContext, event: ResumeEvent | undefined) {
    const { node, logger } = context;
    return watchUncaughtErrors(
      this.#frame.ports.uncaughtErrors,
      { nodeName: node.name, logger },
      () => begin(type, context, event) ?? [],
    );
  }

  #completed(output: NodeOutput, task: NodeTask, inputs: NodeInputs): NodeOutput | Promise<NodeOutput> {
    const { node } = task;
    if (errorPolicy(node.node) !== 'continueErrorOutput') return withSomeOutput(output, task, inputs);
    return moveFailedItems(output, inputs, node.outputCount).then((settled) => withSomeOutput(settled, task, inputs));
  }
}

/**
 * Output of a node with `alwaysOutputData`: if output 0 is empty, it gets one empty item that
 * represents all input items.
 */
function withSomeOutput(output: NodeOutput, { node, sources }: NodeTask, inputs: NodeInputs): NodeOutput | Promise<NodeOutput> {
  const isWanted = node.node.alwaysOutputData && Array.isArray(output) && !output[0]?.length;
  if (!isWanted) return output;
  const others = output.slice(1);
  if (sources.length === 0) return [[{ json: {} }], ...others];
  return inputs.allPairs().then((pairedItem) => [[{ json: {}, pairedItem }], ...others]);
}

function begin(
  type: NodeType,
  context: NodeContext,
  event: ResumeEvent | undefined,
): ReturnType<NonNullable<NodeType['execute']>> | undefined {
  if (!event) return type.execute ? type.execute(context) : runManually(type, context);
  if (!type.resume) throw new NotResumableError(context.node.name);
  return type.resume(context, event);
}

/** Only names of installed types, because users choose the names of others. */
function observe({ executionTime: durationMs, error }: NodeRun, { node }: NodeTask): void {
  nodeRan.publish({ type: node.type?.description.name ?? 'unknown', durationMs, failed: error !== undefined });
}

/** Records the outcome of the last try in the run. */
function conclude(run: NodeRun, last: NodeTry, active: ActiveRun): Promise<void> | undefined {
  if (last.scope.customData) run.customData = last.scope.customData;
  last.details?.writeTo(run);
  if (last.ok) return complete(run, last.output, active, last.storedState);
  return fail(run, last.error, active, last.tookAllItems);
}

/**
 * Records a node's output and saved data in its run. Invalid output is a failure. Large outputs are
 * checked in time slices.
 */
function complete(
  run: NodeRun,
  raw: NodeOutput,
  active: Pick<ActiveRun, 'task' | 'inputs'>,
  storedState?: StoredState,
): Promise<void> | undefined {
  const { task, inputs } = active;
  const paired = task.sources.length > 0 ? inputs : undefined;
  if (isLarge(raw)) {
    return toLargeOutput(raw, task.node.name, paired).then(
      (main) => succeed(run, main, storedState),
      (error: unknown) => fail(run, error, active),
    );
  }
  try {
    succeed(run, toNodeOutput(raw, task.node.name, paired), storedState);
  } catch (error) {
    return fail(run, error, active);
  }
  return undefined;
}

function succeed(run: NodeRun, main: NodeOutput, storedState: StoredState | undefined): void {
  run.data = { main };
  if (storedState?.contextAfter) run.contextAfter = storedState.contextAfter;
  if (storedState?.staticData) run.staticData = storedState.staticData;
}

/** Records a failure in its run, with the data to continue with or as the end of the execution. */
async function fail(
  run: NodeRun,
  error: unknown,
  { task, inputs }: Pick<ActiveRun, 'task' | 'inputs'>,
  asOne = false,
): Promise<void> {
  const { node } = task;
  run.error = { ...toErrorRecord(error), node: node.name };
  const policy = errorPolicy(node.node);
  if (policy === 'stopWorkflow') run.executionStatus = 'error';
  else {
    const failure = { error: shownError(error), asOne };
    const isRegular = policy === 'continueRegularOutput';
    const output = await (isRegular ? passOn(inputs, inputs.firstWithItems) : errorOutput(inputs, failure, node.outputCount));
    run.data = { main: await withSomeOutput(output, task, inputs) };
  }
}

/** The form of an error for later nodes: its message, or an object for a service's response. */
function shownError(error: unknown): JsonValue {
  return isAppError(error) && error.code === 'NODE_API_ERROR' ? errorObject(error) : errorMessage(error);
}

function isFinal(error: unknown): boolean {
  return isAppError(error) && finalErrorCodes.has(error.code);
}

function errorPolicy(node: WorkflowNode): OnErrorPolicy {
  return node.onError ?? (node.continueOnFail ? 'continueRegularOutput' : 'stopWorkflow');
}

function retryPolicy({ retryOnFail, maxTries, waitBetweenTries }: WorkflowNode): { tries: number; waitMs: number } {
  return { tries: retryOnFail ? clamp(maxTries, 2, 5, 3) : 1, waitMs: clamp(waitBetweenTries, 0, 5_000, 1_000) };
}

function clamp(value: number | undefined, least: number, most: number, fallback: number): number {
  return Math.min(Math.max(Number.isFinite(value) ? Math.trunc(value as number) : fallback, least), most);
}
