import { type ExecuteContext, type Item, NodeOperationError, type NodeType } from '@sluice/node-sdk';
import { booleanParameter, numberParameter } from '../../shared/parameters.ts';
import { atLeast, number, options, toggle, when } from '../../shared/properties.ts';

/**
 * Progress of a loop after a run; expressions read it as the node's `context`. It contains no
 * items, so its size does not grow with the loop: the items are those that arrived in run
 * `firstRun`, and those that returned in later runs.
 */
type LoopState = {
  /** Index of the node run that the loop's items arrived in. */
  firstRun: number;
  /** How many of them have been emitted. */
  taken: number;
  /** 0-based index of the run within this loop. */
  currentRunIndex: number;
  /** Number of batches, computed in the first run. */
  maxRunIndex: number;
  noItemsLeft: boolean;
  done: boolean;
};

const batchSizeBefore3 = 10;

/**
 * Emits its items batch by batch: each time the loop's branch returns, the next batch. At the end,
 * the returned items are emitted at "done". Version 1 has no such output; it is the second output
 * in version 2, and the first in version 3.
 */
export const splitInBatches: NodeType = {
  description: {
    displayName: 'Loop Over Items (Split in Batches)',
    name: 'split-in-batches',
    group: ['transform'],
    version: [1, 2, 3],
    description: 'Loops over items in batches',
    defaults: { name: 'Loop Over Items' },
    inputs: ['main'],
    outputs: ['main', 'main'],
    computesOnly: true,
    properties: [
      atLeast(1, number('batchSize', 'Batch Size', batchSizeBefore3, 'Number of items in a batch', when([1, 2]))),
      atLeast(1, number('batchSize', 'Batch Size', 1, 'Number of items in a batch', when([3]))),
      options([
        toggle(
          'reset',
          'Reset',
          'Whether the loop restarts with the incoming items; usually an expression, such as a condition that is true in a new round of an outer loop',
        ),
      ]),
    ],
    icon: 'fa:sync',
    iconColor: 'green',
  },
  outputs: (_, typeVersion) => (typeVersion < 2 ? ['main'] : ['main', 'main']),
  execute(context) {
    const state = nextState(context);
    const batch = batchOf(context, state);
    const done = batch.length === 0;
    const taken = state.taken + batch.length;
    const noItemsLeft = taken >= itemsOf(context, state.firstRun).length;
    context.setNodeContext({ ...state, taken, noItemsLeft, done } satisfies LoopState);
    return inOutputs(context, batch, done ? returnedItems(context, state.firstRun) : []);
  },
};

function inOutputs({ typeVersion }: ExecuteContext, batch: Item[], done: Item[]): Item[][] {
  if (typeVersion < 2) return [batch];
  return typeVersion < 3 ? [batch, done] : [done, batch];
}

/** State for this run's batch: of the running loop, or of a new loop with the current items. */
function nextState(context: ExecuteContext): LoopState {
  const previous = context.nodeContext as LoopState | undefined;
  if (previous && !booleanParameter(context, 'options.reset', 0, false)) {
    return { ...previous, currentRunIndex: previous.currentRunIndex + 1 };
  }
  const maxRunIndex = Math.ceil(context.items().length / batchSizeOf(context));
  return { firstRun: context.runIndex, taken: 0, currentRunIndex: 0, maxRunIndex, noItemsLeft: false, done: false };
}

function batchOf(context: ExecuteContext, { firstRun, taken }: LoopState): Item[] {
  const items = itemsOf(context, firstRun).slice(taken, taken + batchSizeOf(context));
  return items.map((item, index) => pairedTo(context, item, taken + index, firstRun));
}

/** Items returned by the loop's branch, run by run. */
function returnedItems(context: ExecuteContext, firstRun: number): Item[] {
  const returned: Item[] = [];
  for (let run = firstRun + 1; run <= context.runIndex; run++) {
    itemsOf(context, run).forEach((item, index) => {
      returned.push(pairedTo(context, item, index, run));
    });
  }
  return returned;
}

function itemsOf(context: ExecuteContext, run: number): readonly Item[] {
  return run === context.runIndex ? context.items() : context.itemsOfRun(run);
}

function pairedTo({ runIndex }: ExecuteContext, item: Item, index: number, run: number): Item {
  return { ...item, pairedItem: run === runIndex ? { item: index } : { item: index, run } };
}

function batchSizeOf(context: ExecuteContext): number {
  const size = Math.floor(numberParameter(context, 'batchSize', 0, context.typeVersion < 3 ? batchSizeBefore3 : 1));
  if (size >= 1) return size;
  throw new NodeOperationError(`the parameter "batchSize" must be at least 1, but is ${size}`, {
    itemIndex: 0,
    description: 'Set the number of items in a batch; an expression may have returned no value',
  });
}
