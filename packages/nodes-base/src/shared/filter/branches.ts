import type { ExecuteContext, Item } from '@sluice/node-sdk';
import { choiceParameter } from '../parameters.ts';
import { forEachItem, passedItem, unroutedOrThrow } from '../per-item.ts';
import { Filter, filterDefaults } from './filter.ts';
import { LegacyConditions } from './legacy-conditions.ts';

/** The parameter that combines the conditions in version 1, and its values. */
export type Combination = { parameter: string; all: string; any: string };

/** The items that meet the node's conditions, then the others, including failed items. */
export async function branchesByConditions(context: ExecuteContext, combination: Combination): Promise<[Item[], Item[]]> {
  const matches = matcher(context, combination);
  const met: Item[] = [];
  const unmet: Item[] = [];
  await forEachItem(context, (item, itemIndex) => {
    try {
      (matches(itemIndex) ? met : unmet).push(passedItem(item, itemIndex));
    } catch (error) {
      unmet.push(unroutedOrThrow(context, item, itemIndex, error));
    }
  });
  return [met, unmet];
}

function matcher(context: ExecuteContext, { parameter, all, any }: Combination): (itemIndex: number) => boolean {
  if (context.typeVersion < 2) {
    const conditions = new LegacyConditions(context);
    return (itemIndex) =>
      conditions.matches(itemIndex, choiceParameter(context, parameter, itemIndex, [all, any], all) === any);
  }
  const filter = new Filter(context, 'conditions');
  return (itemIndex) => filter.matches(itemIndex, filterDefaults(context, itemIndex, 2.1));
}
