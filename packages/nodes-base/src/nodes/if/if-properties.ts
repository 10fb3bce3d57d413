import type { NodeProperty } from '@sluice/node-sdk';
import {
  filterProperty,
  ignoreCase,
  legacyConditionsProperty,
  looseTypeValidation,
} from '../../shared/filter/condition-properties.ts';
import { choice, choices, options, when } from '../../shared/properties.ts';

export const ifVersions = [1, 2, 2.1, 2.2, 2.3];

export const ifProperties: readonly NodeProperty[] = [
  legacyConditionsProperty,
  choice('combineOperation', 'Combine', choices(['all', 'All conditions'], ['any', 'Any condition']), {
    description: 'Whether an item must meet all conditions or any of them',
    ...when([1]),
  }),
  filterProperty,
  looseTypeValidation([2.1, 2.2, 2.3]),
  options([ignoreCase, looseTypeValidation([2], { default: true })], { displayOptions: { hide: { '@version': [1] } } }),
];
