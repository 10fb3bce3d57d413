import type { ExecuteContext, Item, NodeType } from '@sluice/node-sdk';
import { Filter, type FilterDefaults } from '../../shared/filter/filter.ts';
import { booleanParameter } from '../../shared/parameters.ts';
import { failedOrThrow, passedItem } from '../../shared/per-item.ts';
import { ifProperties, ifVersions } from './if-properties.ts';
import { legacyConditions } from './legacy-conditions.ts';

/** Sends each item to output 0 when it meets the conditions, to output 1 otherwise; so does a failed item, where the node continues. */
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
    properties: ifProperties,
    icon: 'fa:map-signs',
    iconColor: 'green',
  },
  execute(context) {
    const matches = matcher(context);
    const met: Item[] = [];
    const unmet: Item[] = [];
    context.items().forEach((item, itemIndex) => {
      try {
        (matches(itemIndex) ? met : unmet).push(passedItem(item, itemIndex));
      } catch (error) {
        unmet.push(failedOrThrow(context, itemIndex, error));
      }
    });
    return [met, unmet];
  },
};

function matcher(context: ExecuteContext): (itemIndex: number) => boolean {
  if (context.typeVersion < 2) return legacyConditions(context);
  const filter = new Filter(context, 'conditions');
  return (itemIndex) => filter.matches(itemIndex, filterDefaults(context, itemIndex));
}

function filterDefaults(context: ExecuteContext, itemIndex: number): FilterDefaults {
  const loose = context.typeVersion < 2.1 ? 'options.looseTypeValidation' : 'looseTypeValidation';
  return {
    caseSensitive: !booleanParameter(context, 'options.ignoreCase', itemIndex, false),
    typeValidation: booleanParameter(context, loose, itemIndex, false) ? 'loose' : 'strict',
  };
}
