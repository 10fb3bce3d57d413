import {
  type CallableWorkflow,
  type ExecuteContext,
  type Item,
  isJsonObject,
  isNodeOperationError,
  type JsonObject,
  type JsonValue,
  NodeOperationError,
  type NodeOutput,
  ownProperty,
  type ResumeEvent,
  TimeSlice,
  type UnsupportedUse,
  type WorkflowAccess,
  type WorkflowRun,
  type WorkflowRunResult,
} from '@sluice/node-sdk';
import { booleanParameter, choiceParameter, objectParameter, refuseUnsupported, unsupported } from '../../shared/parameters.ts';
import { failedOrThrow, passedItem } from '../../shared/per-item.ts';
import { pairsForEach } from '../../shared/per-item-async.ts';
import { toCallInput } from './call-input.ts';

const storeIt = 'Store the workflow, and call it by its ID';
export const unsupportedUses: readonly UnsupportedUse[] = [
  { parameter: 'source', values: ['localFile'], what: 'a workflow from a file', hint: storeIt },
  { parameter: 'source', values: ['url'], what: 'a workflow from a URL', hint: storeIt },
];

/** Maximum number of runs that one node may start at once. */
const maxRuns = 10_000;

/** Starts the runs, and suspends the node until they end unless it does not wait for them. */
export async function callWorkflows(context: ExecuteContext): Promise<NodeOutput> {
  const { workflows } = context;
  if (!workflows) throw unsupported('calling workflows from here', 'Run the workflow on a worker');
  const inputs = await toCallInput(context);
  const runs = await runsOf(context, workflows, inputs);
  if (runs.length === 0) return [[]];
  if (booleanParameter(context, 'options.waitForSubWorkflow', 0, true)) {
    context.suspend({ kind: 'workflows', runs, stopAtFailure: !context.continueOnFail });
    return [];
  }
  await workflows.start(runs);
  return [inputs.map((item, itemIndex) => passedItem(item, itemIndex))];
}

/**
 * Results of the runs. In mode `each`, they are paired with the item of each; otherwise one by one
 * if there are as many results as items, and else with all items.
 */
export async function takeResults(context: ExecuteContext, event: ResumeEvent): Promise<NodeOutput> {
  if (event.kind !== 'workflows')
    throw new NodeOperationError('the node was not resumed with workflow results', {
      description: 'Run the workflow again',
    });
  const isEach = modeOf(context) === 'each';
  const items = await resultItems(context, event.results, isEach);
  // A failed call applies to all items. On the error output, the engine uses the first item's JSON.
  if (!isEach && context.node.onError !== 'continueErrorOutput') for (const item of items) delete item.pairedItem;
  const inputCount = context.items().length;
  // The engine pairs the results for a single item, and pairs results one by one if there are as
  // many as items.
  const pairs = !isEach && inputCount > 1 && items.length !== inputCount ? pairsForEach(context, items.length) : undefined;
  if (pairs) for (const item of items) item.pairedItem ??= pairs;
  return [items];
}

async function resultItems(context: ExecuteContext, results: readonly WorkflowRunResult[], isEach: boolean): Promise<Item[]> {
  const items: Item[] = [];
  const slice = new TimeSlice();
  for (const [index, result] of results.entries()) {
    for (const item of itemsOf(context, result, isEach ? index : 0)) items.push(isEach ? pairedTo(item, index) : item);
    if (slice.isOver) await slice.next();
  }
  return items;
}

function itemsOf(context: ExecuteContext, result: WorkflowRunResult, itemIndex: number): Item[] {
  if (result.status === 'success') return result.items.map(withoutPairing);
  if (result.status === 'skipped') return [];
  const { message, description, node, code } = result.error;
  const details = { executionId: result.executionId, ...(node !== undefined && { node }), ...(code !== undefined && { code }) };
  const hint = description ?? `Look at execution ${result.executionId}, which is that of the called workflow`;
  const error = new NodeOperationError(message, { itemIndex, details, description: hint });
  return [failedOrThrow(context, itemIndex, error)];
}

/** Removes the pairing, which refers to the called workflow's nodes. */
function withoutPairing({ json, binary }: Item): Item {
  return binary ? { json, binary } : { json };
}

/** In place, since a failed item's mark does not survive a copy. */
function pairedTo(item: Item, index: number): Item {
  item.pairedItem = { item: index };
  return item;
}

async function runsOf(context: ExecuteContext, workflows: WorkflowAccess, inputs: readonly Item[]): Promise<WorkflowRun[]> {
  if (modeOf(context) === 'once') return [{ workflow: await workflowFor(context, workflows, 0), items: inputs }];
  if (inputs.length > maxRuns) {
    const description = 'Split the items into batches first, or run the workflow once with all items.';
    throw new NodeOperationError(`one node can run a workflow ${maxRuns} times, not ${inputs.length}`, { description });
  }
  const workflowsByKey = new Map<string, Promise<CallableWorkflow>>();
  const runs: WorkflowRun[] = [];
  const slice = new TimeSlice();
  for (const [itemIndex, item] of inputs.entries()) {
    if (slice.isOver) await slice.next();
    runs.push({ workflow: await workflowFor(context, workflows, itemIndex, workflowsByKey), items: [item] });
  }
  return runs;
}

function modeOf(context: ExecuteContext): 'once' | 'each' {
  return choiceParameter(context, 'mode', 0, ['once', 'each'], 'once');
}

/** The workflow that a node's parameters refer to or contain. Each is looked up once. */
export async function workflowFor(
  context: ExecuteContext,
  workflows: WorkflowAccess,
  itemIndex: number,
  workflowsByKey = new Map<string, Promise<CallableWorkflow>>(),
): Promise<CallableWorkflow> {
  refuseUnsupported(context, unsupportedUses, itemIndex);
  const source = choiceParameter(context, 'source', itemIndex, ['database', 'parameter'], 'database');
  const wanted = source === 'database' ? idOf(context, itemIndex) : objectParameter(context, 'workflowJson', itemIndex);
  const key = JSON.stringify(wanted);
  const workflow = workflowsByKey.get(key) ?? (typeof wanted === 'string' ? workflows.find(wanted) : workflows.define(wanted));
  workflowsByKey.set(key, workflow);
  return workflow.catch((error: unknown) => Promise.reject(ofItem(error, itemIndex)));
}

/** Adds the item's index to the error of a workflow that could not be called. */
function ofItem(error: unknown, itemIndex: number): unknown {
  if (!isNodeOperationError(error) || error.itemIndex !== undefined) return error;
  const { message, description, code } = error;
  return new NodeOperationError(message, { itemIndex, description, cause: error }, code);
}

/** The workflow ID, plain or in a resource locator. */
function idOf(context: ExecuteContext, itemIndex: number): string {
  const parameter = context.parameter<JsonValue>('workflowId', itemIndex);
  const id = isJsonObject(parameter) ? ownProperty(parameter as JsonObject, 'value') : parameter;
  if (typeof id === 'string' && id.trim() !== '') return id.trim();
  throw new NodeOperationError('the parameter "workflowId" must name a workflow', {
    itemIndex,
    description: 'Choose a workflow, or enter its ID; an expression may have returned no value',
  });
}
