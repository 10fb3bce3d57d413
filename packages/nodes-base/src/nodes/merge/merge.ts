import { type ExecuteContext, type Item, NodeOperationError, type NodeType, type PairedItem } from '@sluice/node-sdk';
import { numberParameter } from '../../shared/parameters.ts';
import { combineByFields } from './combine-by-fields.ts';
import { combineByKey } from './combine-by-key.ts';
import { combineBySql } from './combine-by-sql.ts';
import { type ClashRules, type mergeJson, mergeJsonTwice } from './merge-json.ts';
import type { MergePlan, PositionPlan } from './merge-plan.ts';
import { mergeProperties, mergeVersions } from './merge-properties.ts';
import { MergedItems, type Part, partsOf, passedPart } from './merged-items.ts';
import { readMergePlan } from './read-merge-plan.ts';

/** The format has ten inputs, but a connection may refer to any input. */
const maxInputs = 100;

/**
 * Joins branches: runs once, when no more data can arrive. An input without data is treated as
 * empty.
 */
export const merge: NodeType = {
  description: {
    displayName: 'Merge',
    name: 'merge',
    group: ['transform'],
    version: mergeVersions,
    description: 'Merges the items of two or more branches',
    defaults: { name: 'Merge' },
    inputs: ['main', 'main'],
    outputs: ['main'],
    computesOnly: true,
    properties: mergeProperties,
    icon: 'fa:code-branch',
    iconColor: 'blue',
    subtitle: '={{ $parameter["mode"] }}',
  },
  async execute(context) {
    const plan = readMergePlan(context);
    return 'needsAllInputs' in plan && plan.needsAllInputs && lacksItems(context) ? [[]] : [await mergeInputs(context, plan)];
  },
};

function mergeInputs(context: ExecuteContext, plan: MergePlan): Item[] | Promise<Item[]> {
  switch (plan.kind) {
    case 'append':
      return allInputs(context).flatMap((parts) => parts.map(passedPart));
    case 'choose':
      return chosenInput(context, plan.input).map(passedPart);
    case 'emptyItem':
      return [{ json: {}, pairedItem: pairsOf(allInputs(context).slice(0, plan.pairedInputs).flat()) }];
    case 'position':
      return combineByPosition(allInputs(context), plan);
    case 'all':
      return combineAll(partsOf(context.items(0), 0), partsOf(context.items(1), 1), plan.clash);
    case 'fields':
      return combineByFields(context.items(0), context.items(1), plan);
    case 'key':
      return combineByKey(context.items(0), context.items(1), plan);
    case 'sql':
      return combineBySql(context, plan);
  }
}

/**
 * Whether a connected branch ended without items: choosing a branch then passes nothing on. In the
 * legacy order, only the first branch must have items.
 */
function lacksItems(context: ExecuteContext): boolean {
  const { connectedInputs, isLegacyOrder } = context;
  const needed = isLegacyOrder ? connectedInputs.slice(0, 1) : connectedInputs;
  return connectedInputs.length > 1 && needed.some((input) => context.items(input).length === 0);
}

function pairsOf(parts: readonly Part[]): PairedItem[] {
  return parts.map(({ input, index }) => ({ item: index, input }));
}

function chosenInput(context: ExecuteContext, input: number): Part[] {
  const inputCount = Math.max(context.inputCount, numberParameter(context, 'numberInputs', 0, 2));
  if (input < inputCount) return partsOf(context.items(input), input);
  throw new NodeOperationError(`the parameter "useDataOfInput" is ${input + 1}, and the node has ${inputCount} inputs`, {
    itemIndex: 0,
    description: 'Use the number of an existing input, or add inputs to the node',
  });
}

function allInputs(context: ExecuteContext): Part[][] {
  if (context.inputCount > maxInputs)
    throw new NodeOperationError(`a Merge node has ${maxInputs} inputs at most`, {
      description: 'Merge in several steps, each with a Merge node',
    });
  return Array.from({ length: context.inputCount }, (_, input) => partsOf(context.items(input), input));
}

function combineByPosition(inputs: readonly Part[][], plan: PositionPlan): Item[] {
  const { clash, unpaired, preferredAgain } = plan;
  const filled = inputs.filter((parts) => parts.length > 0);
  // Items of a single input have no clashes.
  if (plan.ignoresEmptyInputs && filled.length === 1) return filled.flat().map(passedPart);
  const merged = new MergedItems(clash);
  const lengths = inputs.map((parts) => parts.length).filter((count) => count > 0 || !plan.ignoresEmptyInputs);
  const length = unpaired === 'drop' ? Math.min(...lengths) : unpaired === 'keep' ? Math.max(...lengths) : (lengths[0] ?? 0);
  const last = inputs.length - 1;
  const merge = preferredAgain ? (parts: Parameters<typeof mergeJson>[0]) => mergeJsonTwice(parts, clash, last) : undefined;
  for (let index = 0; index < length; index++) {
    merged.add(
      inputs.flatMap((parts) => parts[index] ?? []),
      merge,
    );
  }
  return merged.items;
}

/**
 * Every item of one input with every item of the other. The preferred input varies fastest if it is
 * the first.
 */
function combineAll(first: readonly Part[], second: readonly Part[], clash: ClashRules): Item[] {
  const merged = new MergedItems(clash);
  const firstFastest = typeof clash.resolve === 'object' && clash.resolve.preferInput === 0;
  const [outer, inner] = firstFastest ? [second, first] : [first, second];
  for (const one of outer) {
    for (const other of inner) merged.add(firstFastest ? [other, one] : [one, other]);
  }
  return merged.items;
}
