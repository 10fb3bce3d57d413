import { setTimeout as delay } from 'node:timers/promises';
import {
  errorMessage,
  type NodeOutput,
  type NodeRun,
  nodeRan,
  ownProperty,
  type PinnedItem,
  type ResumeEvent,
  type SuspendedRun,
  type Suspension,
  toItem,
  tracing,
} from '@sluice/domain';
import type { NodeType } from '@sluice/node-sdk';
import { InvalidParameterError, NotResumableError } from '../errors.ts';
import type { PreparedNode } from '../graph/prepared-graph.ts';
import { implementationOf } from '../graph/prepared-graph.ts';
import { CallsSuspension } from '../sub-node-calls/call-tree.ts';
import type { AbortWatch } from './abort-watch.ts';
import { type ActiveRun, complete, conclude, type NodeTry, withSomeOutput } from './conclude-run.ts';
import type { ExecutionContext } from './execution-context.ts';
import { errorPolicy, isFinal, retryPolicy } from './failure-policy.ts';
import { NodeContext } from './node-context.ts';
import { NodeInputs } from './node-inputs.ts';
import { moveFailedItems, passOn } from './node-output.ts';
import { NodeScope } from './node-scope.ts';
import type { NodeTask } from './node-task.ts';
import { runManually } from './run-manually.ts';
import { toRunSources } from './run-state.ts';
import { watchUncaughtErrors } from './watch-uncaught-errors.ts';

/** Result of `execute` or `resume`. */
type Executed = NodeOutput | PromiseLike<NodeOutput>;

/** Maximum length of a failed try's message, in characters. */
const maxTryMessage = 1_000;

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
 * `success` with an `error` alongside its data. A suspended run resumes in the try that suspended
 * it.
 */
export class NodeRunner {
  readonly #execution: ExecutionContext;
  readonly #abort: AbortWatch;

  constructor(execution: ExecutionContext, abort: AbortWatch) {
    this.#execution = execution;
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
    const startTime = resumed?.startTime ?? this.#execution.ports.now();
    const inputs = new NodeInputs(task.inputs, task.node.node.executeOnce === true);
    const nowMs = this.#execution.subRuns.sinceOf(task.node.name, runIndex) ?? startTime;
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
    run.executionTime = this.#execution.ports.now() - startTime;
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

  #resumed(nodeName: string, runIndex: number): ExecutionContext['request']['resumed'] {
    const { resumed } = this.#execution.request;
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
    const { mode, graph } = this.#execution.request;
    return mode === 'manual' ? ownProperty(graph.pinData ?? {}, name) : undefined;
  }

  /** The final try: a successful one, or the last one allowed. Rejects like `run`. */
  async #lastTry(active: ActiveRun, resumed: ExecutionContext['request']['resumed']): Promise<NodeTry> {
    const { node } = active.task.node;
    const { tries, waitMs } = retryPolicy(node);
    let { tryNumber, event }: { tryNumber: number; event: ResumeEvent | undefined } = resumed ?? {
      tryNumber: 1,
      event: undefined,
    };
    if (resumed?.calls) event = undefined; // its calls receive the results, and the node runs again
    for (; tryNumber < tries; tryNumber++) {
      const startTime = this.#execution.ports.now();
      // While tries remain, a node must fail rather than continue with failed items.
      const done = await this.#execute(active, tryNumber, event, false);
      if (done.ok || isFinal(done.error)) return done;
      event = undefined; // the next try starts from the beginning
      const message = errorMessage(done.error).slice(0, maxTryMessage);
      active.failedTries.push({ startTime, executionTime: this.#execution.ports.now() - startTime, message });
      await delay(waitMs, undefined, { signal: this.#abort.signal }).catch(() => this.#abort.signal.throwIfAborted());
    }
    return this.#execute(active, tryNumber, event, errorPolicy(node) !== 'stopWorkflow');
  }

  /** `event`: resumes the try; absent if it starts from the beginning. */
  async #execute(
    active: ActiveRun,
    tryNumber: number,
    event: ResumeEvent | undefined,
    continueOnFail: boolean,
  ): Promise<NodeTry> {
    const { task, inputs, runIndex, nowMs, logs } = active;
    const { ports, request } = this.#execution;
    const scope = new NodeScope(this.#execution, task, inputs, { runIndex, tryNumber, nowMs });
    this.#execution.subRuns.begin({ nodeName: task.node.name, runIndex, tryNumber });
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
        execution: this.#execution,
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
      const done = { ok: true, tryNumber, scope, details: context.details, storedState: context.storedState } as const;
      if (result instanceof CallsSuspension) {
        const { runs, calls, counted } = result;
        const suspension = { kind: 'workflows', runs, stopAtFailure: false } as const;
        return { ...done, output: [], suspension, subNodeCalls: { calls, counted } };
      }
      const { suspension } = context;
      const completed = suspension ? [] : this.#completed(result, task, inputs);
      const output = completed instanceof Promise ? await completed : completed;
      return { ...done, output, suspension };
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
    return isPending ? this.#execution.subRuns.untilSuspended(work) : work;
  }

  #begin(type: NodeType, context: NodeContext, event: ResumeEvent | undefined) {
    const { node, logger } = context;
    return watchUncaughtErrors(
      this.#execution.ports.uncaughtErrors,
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
