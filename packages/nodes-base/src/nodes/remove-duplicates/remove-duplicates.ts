import { type ExecuteContext, failedItem, type Item, type NodeType } from '@sluice/node-sdk';
import { choiceParameter } from '../../shared/parameters.ts';
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
  execute: async (context) => [await keptOrFailed(context)],
};

const operations = ['removeDuplicateInputItems', 'removeItemsSeenInPreviousExecutions', 'clearDeduplicationHistory'] as const;

/** From version 2 on, a failure of a node that may continue is one item that has `error`. */
async function keptOrFailed(context: ExecuteContext): Promise<Item[]> {
  try {
    return await keptItems(context);
  } catch (error) {
    if (context.typeVersion < 2 || !context.continueOnFail) throw error;
    return [failedItem(error, 0)];
  }
}

async function keptItems(context: ExecuteContext): Promise<Item[]> {
  const [within, across] = operations;
  const operation = context.typeVersion < 2 ? within : choiceParameter(context, 'operation', 0, operations, within);
  if (operation === within) return removeDuplicateItems(context, { nullFits: context.typeVersion >= 1.1 });
  return operation === across ? itemsNotSeenBefore(context) : clearHistory(context);
}
