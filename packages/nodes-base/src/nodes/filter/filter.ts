import type { NodeType } from '@sluice/node-sdk';
import { branchesByConditions } from '../../shared/filter/branches.ts';
import {
  filterProperty,
  ignoreCase,
  legacyConditionsProperty,
  looseTypeValidation,
} from '../../shared/filter/condition-properties.ts';
import { choice, choices, options, when } from '../../shared/properties.ts';

/**
 * Keeps the items that meet the conditions. Discarded items are recorded with the run as a second,
 * unconnected output, and so are failed items if the node continues, unless it has an error output.
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
  execute: (context) => branchesByConditions(context, { parameter: 'combineConditions', all: 'AND', any: 'OR' }),
};
