import type { ExecuteContext, Item, NodeType } from '@sluice/node-sdk';
import {
  filterProperty,
  ignoreCase,
  legacyConditionsProperty,
  looseTypeValidation,
} from '../../shared/filter/condition-properties.ts';
import { Filter, filterDefaults } from '../../shared/filter/filter.ts';
import { LegacyConditions } from '../../shared/filter/legacy-conditions.ts';
import { choiceParameter } from '../../shared/parameters.ts';
import { forEachItem, passedItem, unroutedOrThrow } from '../../shared/per-item.ts';
import { choice, choices, options, when } from '../../shared/properties.ts';

/**
 * Keeps the items that meet the conditions. Discarded items are recorded with the run as a second,
 * unconnected output. So are failed items if the node continues, unless it has an error output.
 */
export const filter: NodeType = {
  description: {
    displayName: 'Filter',
    name: 'filter',
    group: ['transform'],
    version: [1, 2, 2.1, 2.2, 2.3],
    description: 'Keeps the items that meet conditions',
    defaults: { name: 'Filter' },
    inputs: ['main'],
    outputs: ['main'],
    computesOnly: true,
    properties: [
      legacyConditionsProperty,
      choice('combineConditions', 'Combine Conditions', choices(['AND', 'AND'], ['OR', 'OR']), {
        description: 'Whether an item must meet all conditions or any of them',
        ...when([1]),
      }),
      filterProperty,
      looseTypeValidation([2.1, 2.2, 2.3]),
      options([ignoreCase, looseTypeValidation([2], { default: true })], { displayOptions: { hide: { '@version': [1] } } }),
    ],
    icon: 'fa:filter',
    iconColor: 'blue',
  },
  async execute(context) {
    const matches = matcher(context);
    const kept: Item[] = [];
    const discarded: Item[] = [];
    await forEachItem(context, (item, itemIndex) => {
      try {
        (matches(itemIndex) ? kept : discarded).push(passedItem(item, itemIndex));
      } catch (error) {
        discarded.push(unroutedOrThrow(context, item, itemIndex, error));
      }
    });
    return [kept, discarded];
  },
};

function matcher(context: ExecuteContext): (itemIndex: number) => boolean {
  if (context.typeVersion < 2) {
    const conditions = new LegacyConditions(context);
    const combination = (itemIndex: number) => choiceParameter(context, 'combineConditions', itemIndex, ['AND', 'OR'], 'AND');
    return (itemIndex) => conditions.matches(itemIndex, combination(itemIndex) === 'OR');
  }
  const filter = new Filter(context, 'conditions');
  return (itemIndex) => filter.matches(itemIndex, filterDefaults(context, itemIndex, 2.1));
}
