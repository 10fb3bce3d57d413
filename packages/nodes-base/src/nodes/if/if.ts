import type { ExecuteContext, Item, NodeType } from '@sluice/node-sdk';
import { Filter, filterDefaults } from '../../shared/filter/filter.ts';
import { LegacyConditions } from '../../shared/filter/legacy-conditions.ts';
import { choiceParameter } from '../../shared/parameters.ts';
import { forEachItem, passedItem, unroutedOrThrow } from '../../shared/per-item.ts';
import { ifProperties, ifVersions } from './if-properties.ts';

/**
 * Sends each item to output 0 if it meets the conditions, otherwise to output 1. A failed item goes to output 1
 * unchanged, unless the node has an error output.
 */
export const ifNode: NodeType = {
  description: {
    displayName: 'If',
    name: 'if',
    group: ['transform'],
    version: ifVersions,
    description: 'Sends items to one of two branches, by conditions',
    defaults: { name: 'If' },
    inputs: ['main'],
    outputs: ['main', 'main'],
    computesOnly: true,
    properties: ifProperties,
    icon: 'fa:map-signs',
    iconColor: 'green',
  },
  async execute(context) {
    const matches = matcher(context);
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
  },
};

function matcher(context: ExecuteContext): (itemIndex: number) => boolean {
  if (context.typeVersion < 2) {
    const conditions = new LegacyConditions(context);
    const combination = (itemIndex: number) => choiceParameter(context, 'combineOperation', itemIndex, ['all', 'any'], 'all');
    return (itemIndex) => conditions.matches(itemIndex, combination(itemIndex) === 'any');
  }
  const filter = new Filter(context, 'conditions');
  return (itemIndex) => filter.matches(itemIndex, filterDefaults(context, itemIndex, 2.1));
}
