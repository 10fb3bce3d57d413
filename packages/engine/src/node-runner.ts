import { setTimeout as sleep } from 'node:timers/promises';
import {
  errorMessage,
  isAppError,
  type JsonObject,
  type NodeOutput,
  type NodeRun,
  type OnErrorPolicy,
  ownProperty,
  toErrorRecord,
  type WorkflowNode,
} from '@sluice/domain';
import type { NodeType } from '@sluice/node-sdk';
import type { AbortWatch } from './abort-watch.ts';
import { UnknownNodeTypeError, UnknownNodeTypeVersionError } from './errors.ts';
import { NodeContext } from './node-context.ts';
import { NodeInputs } from './node-inputs.ts';
import { errorOutput, moveFailedItems, regularErrorOutput, toNodeOutput } from './node-output.ts';
import { NodeScope, type RunFrame } from './node-scope.ts';
import type { NodeTask } from './node-task.ts';
import type { PreparedNode } from './prepared-graph.ts';
import { toRunSources } from './run-state.ts';

/** Errors that end the run whatever the node's `onError` says, and that no further try can mend. */
const finalErrorCodes: ReadonlySet<string> = new Set(['STOP_AND_ERROR', 'UNKNOWN_NODE_TYPE', 'UNKNOWN_NODE_TYPE_VERSION']);

/** A node run that is under way. */
interface Attempted {
  readonly task: NodeTask;
  readonly inputs: NodeInputs;
  readonly runIndex: number;
  readonly startTime: number;
  readonly logs: string[];
  /** What the try that succeeded asked to keep. */
  contextAfter?: JsonObject | undefined;
}

/**
 * Turns a task into a node run: stands in for it (disabled, pinned), or executes it with the tries that the node asks for, and
 * does with a failure what its `onError` says. A run whose `executionStatus` is `error` ends the execution; one that failed but
 * may go on is a `success` that has an `error` beside its data.
 */
export class NodeRunner {
  readonly #frame: RunFrame;
  readonly #abort: AbortWatch;

  constructor(frame: RunFrame, abort: AbortWatch) {
    this.#frame = frame;
    this.#abort = abort;
  }

  /** Rejects only when the signal has fired, with its reason. */
  async run(task: NodeTask, runIndex: number): Promise<NodeRun> {
    const startTime = this.#frame.ports.now();
    const inputs = new NodeInputs(task.inputs, task.node.node.executeOnce === true);
    const attempted: Attempted = { task, inputs, runIndex, startTime, logs: [] };
    const run: NodeRun = { startTime, executionTime: 0, executionStatus: 'success', source: toRunSources(task.sources) };
    try {
      const raw = this.#standIn(task, inputs) ?? (await this.#executeWithTries(attempted));
      run.data = { main: toNodeOutput(raw, task.node.name, task.sources.length > 0 ? inputs : undefined) };
      if (attempted.contextAfter) run.contextAfter = attempted.contextAfter;
    } catch (error) {
      this.#abort.signal.throwIfAborted();
      fail(run, error, task.node, inputs);
    }
    run.executionTime = this.#frame.ports.now() - startTime;
    if (attempted.logs.length > 0) run.logs = attempted.logs;
    return run;
  }

  /** The output of a node that does not execute: disabled, it passes input 0 on; pinned, it gives what is pinned. */
  #standIn({ node }: NodeTask, inputs: NodeInputs): NodeOutput | undefined {
    if (node.node.disabled) return [[...inputs.items(0)]];
    const { request } = this.#frame;
    const pinned = request.mode === 'manual' ? ownProperty(request.graph.pinData ?? {}, node.name) : undefined;
    return pinned && [pinned];
  }

  async #executeWithTries(attempted: Attempted): Promise<NodeOutput> {
    const { node } = attempted.task.node;
    const { tries, waitMs } = retryPolicy(node);
    for (let tried = 1; tried < tries; tried++) {
      try {
        // A node that would go on with failed items has to fail instead, as long as it may be tried again.
        return await this.#execute(attempted, false);
      } catch (error) {
        if (this.#abort.signal.aborted || isFinal(error)) throw error;
      }
      await sleep(waitMs, undefined, { signal: this.#abort.signal });
    }
    return this.#execute(attempted, errorPolicy(node) !== 'stopWorkflow');
  }

  async #execute(attempted: Attempted, continueOnFail: boolean): Promise<NodeOutput> {
    const { task, inputs, runIndex, startTime, logs } = attempted;
    const { type, typeVersion } = implementationOf(task.node);
    const scope = new NodeScope(this.#frame, task, inputs, runIndex, startTime);
    const resolving = this.#frame.ports.sandbox.resolve(task.node.compiled, scope, this.#abort.signal);
    const resolved = this.#abort.settle(resolving);
    const parameters = resolved instanceof Promise ? await resolved : resolved;
    const context = new NodeContext({ frame: this.#frame, task, inputs, scope, parameters, typeVersion, continueOnFail, logs });
    const executed = this.#abort.settle(type.execute?.(context) ?? []);
    const output = executed instanceof Promise ? await executed : executed;
    attempted.contextAfter = context.contextAfter;
    return this.#completed(output, task.node, inputs);
  }

  #completed(output: NodeOutput, node: PreparedNode, inputs: NodeInputs): NodeOutput {
    const settled =
      errorPolicy(node.node) === 'continueErrorOutput' ? moveFailedItems(output, inputs, node.outputCount) : output;
    return node.node.alwaysOutputData && Array.isArray(settled) && !settled[0]?.length
      ? [[{ json: {} }], ...settled.slice(1)]
      : settled;
  }
}

/** Writes a failure into its run: with the data that it goes on with, or as its end. */
function fail(run: NodeRun, error: unknown, node: PreparedNode, inputs: NodeInputs): void {
  run.error = { ...toErrorRecord(error), node: node.name };
  const policy = isFinal(error) ? 'stopWorkflow' : errorPolicy(node.node);
  if (policy === 'stopWorkflow') run.executionStatus = 'error';
  else if (policy === 'continueRegularOutput') run.data = { main: regularErrorOutput(inputs, errorMessage(error)) };
  else run.data = { main: errorOutput(inputs, errorMessage(error), node.outputCount) };
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

function implementationOf({ node, type, typeVersion }: PreparedNode): { type: NodeType; typeVersion: number } {
  if (!type) throw new UnknownNodeTypeError(node.name, node.type);
  const { version } = type.description;
  if (![version].flat().includes(typeVersion)) {
    throw new UnknownNodeTypeVersionError(node.name, node.type, typeVersion, version);
  }
  return { type, typeVersion };
}
