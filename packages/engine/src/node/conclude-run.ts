import {
  errorMessage,
  isAppError,
  type JsonObject,
  type JsonValue,
  type NodeOutput,
  type NodeRun,
  type SuspendedRun,
  type Suspension,
  toErrorRecord,
} from '@sluice/domain';
import { errorObject } from '@sluice/node-sdk';
import { errorPolicy } from './failure-policy.ts';
import type { NodeInputs } from './node-inputs.ts';
import { errorOutput, isLarge, passOn, toLargeOutput, toNodeOutput } from './node-output.ts';
import type { NodeScope } from './node-scope.ts';
import type { NodeTask } from './node-task.ts';
import type { RunDetails } from './run-details.ts';

/** A node run in flight; shared by all its tries. */
export interface ActiveRun {
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

/** Data recorded with a node run in addition to its outputs. */
export interface StoredState {
  contextAfter: JsonObject | undefined;
  /** The changed parts of the workflow's static data, by key. */
  staticData: JsonObject | undefined;
}

/** One try of a node run and its outcome. */
export type NodeTry = { readonly tryNumber: number; readonly scope: NodeScope; readonly details: RunDetails | undefined } & (
  | {
      readonly ok: true;
      readonly output: NodeOutput;
      readonly storedState: StoredState;
      readonly suspension: Suspension | undefined;
      readonly subNodeCalls?: Pick<SuspendedRun, 'calls' | 'counted'>;
    }
  | { readonly ok: false; readonly error: unknown; readonly tookAllItems: boolean }
);

/** Records the outcome of the last try in the run. */
export function conclude(run: NodeRun, last: NodeTry, active: ActiveRun): Promise<void> | undefined {
  if (last.scope.customData) run.customData = last.scope.customData;
  last.details?.writeTo(run);
  if (last.ok) return complete(run, last.output, active, last.storedState);
  return fail(run, last.error, active, last.tookAllItems);
}

/**
 * Records a node's output and saved data in its run. Invalid output is a failure. Large outputs are
 * checked in time slices.
 */
export function complete(
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

/**
 * Output of a node with `alwaysOutputData`: if output 0 is empty, it gets one empty item that
 * represents all input items.
 */
export function withSomeOutput(
  output: NodeOutput,
  { node, sources }: NodeTask,
  inputs: NodeInputs,
): NodeOutput | Promise<NodeOutput> {
  const isWanted = node.node.alwaysOutputData && Array.isArray(output) && !output[0]?.length;
  if (!isWanted) return output;
  const others = output.slice(1);
  if (sources.length === 0) return [[{ json: {} }], ...others];
  return inputs.allPairs().then((pairedItem) => [[{ json: {}, pairedItem }], ...others]);
}
