import type { ExecuteContext, Item, NodeType } from '@sluice/node-sdk';
import { choiceParameter } from '../../shared/parameters.ts';
import { aggregateItems } from '../aggregate/aggregate-items.ts';
import { limitItems } from '../limit/limit-items.ts';
import { removeDuplicateItems } from '../remove-duplicates/remove-duplicate-items.ts';
import { sortItems } from '../sort/sort-items.ts';
import { type SplitRules, splitOutItems } from '../split-out/split-out-items.ts';
import { summarizeItems } from '../summarize/summarize-items.ts';
import { itemListsProperties, itemListsVersions } from './item-lists-properties.ts';

/** Predecessor of the nodes Split Out, Aggregate, Limit, Remove Duplicates, Sort, and Summarize. */
export const itemLists: NodeType = {
  description: {
    displayName: 'Item Lists',
    name: 'item-lists',
    deprecated: true,
    group: ['input'],
    version: itemListsVersions,
    description: 'Processes lists of items; the predecessor of six nodes',
    defaults: { name: 'Item Lists' },
    inputs: ['main'],
    outputs: ['main'],
    computesOnly: true,
    properties: itemListsProperties,
    icon: 'fa:list',
    subtitle: '={{ $parameter["operation"] }}',
  },
  execute: async (context) => [await operate(context)],
};

const operations = [
  'splitOutItems',
  'aggregateItems',
  'concatenateItems',
  'limit',
  'removeDuplicates',
  'sort',
  'summarize',
] as const;

function splitRules(typeVersion: number): SplitRules {
  if (typeVersion >= 2.2) return {};
  return { missingFails: typeVersion < 2.1, accepts: typeVersion < 2 ? 'lists' : 'containers' };
}

function operate(context: ExecuteContext): Item[] | Promise<Item[]> {
  const { typeVersion } = context;
  switch (choiceParameter(context, 'operation', 0, operations, 'splitOutItems')) {
    case 'splitOutItems':
      return splitOutItems(context, splitRules(typeVersion));
    case 'aggregateItems':
    case 'concatenateItems':
      return [aggregateItems(context, { missingFails: typeVersion < 2.1, pairsWithFirst: typeVersion < 2 })];
    case 'limit':
      return limitItems(context);
    case 'removeDuplicates':
      return removeDuplicateItems(context, typeVersion < 3.1 ? 'same' : 'any');
    case 'sort':
      return sortItems(context);
    case 'summarize':
      return summarizeItems(context, {
        missingFails: typeVersion < 2.1,
        splitsBy: 'names',
        extremesAreNumbers: typeVersion < 3,
        countsNoEmpty: true,
        keepsNames: typeVersion < 2,
        groupFirst: true,
      });
  }
}
