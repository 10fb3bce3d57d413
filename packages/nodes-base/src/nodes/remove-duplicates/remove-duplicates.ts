import type { ExecuteContext, Item, NodeType } from '@sluice/node-sdk';
import { choiceParameter } from '../../shared/parameters.ts';
import { failureOfAllOrThrow } from '../../shared/per-item-async.ts';
import { removeDuplicateItems } from './remove-duplicate-items.ts';
import { removeDuplicatesProperties } from './remove-duplicates-properties.ts';
import { clearHistory, itemsNotSeenBefore } from './seen-before.ts';

export const removeDuplicates: NodeType = {
  description: {
    displayName: 'Remove Duplicates',
    name: 'remove-duplicates',
    group: ['transform'],
    version: [1, 1.1, 2],
    description: 'Removes duplicate items, within the input or across executions',
    defaults: { name: 'Remove Duplicates' },
    inputs: ['main'],
    outputs: ['main'],
    properties: removeDuplicatesProperties,
    icon: 'fa:clone',
  },
  async execute(context) {
    const pending = keptItems(context);
    // Before version 2, the items pass unchanged.
    return [
      await (context.typeVersion < 2 ? pending : pending.catch((error: unknown) => [failureOfAllOrThrow(context, error)])),
    ];
  },
};

const operations = ['removeDuplicateInputItems', 'removeItemsSeenInPreviousExecutions', 'clearDeduplicationHistory'] as const;

async function keptItems(context: ExecuteContext): Promise<Item[]> {
  const [within, across] = operations;
  const operation = context.typeVersion < 2 ? within : choiceParameter(context, 'operation', 0, operations, within);
  if (operation === within) return removeDuplicateItems(context, context.typeVersion < 1.1 ? 'same' : 'sameOrNull');
  return operation === across ? itemsNotSeenBefore(context) : clearHistory(context);
}
