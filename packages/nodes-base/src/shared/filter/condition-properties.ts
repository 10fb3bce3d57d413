import type { JsonValue, NodeProperty, NodePropertyOption } from '@sluice/node-sdk';
import { choice, choices, toggle } from '../properties.ts';

/**
 * Condition types of the first versions: default operand and operations, with the default first.
 */
export const legacyKinds: readonly {
  type: 'boolean' | 'dateTime' | 'number' | 'string';
  displayName: string;
  empty: JsonValue;
  operations: NodePropertyOption[];
}[] = [
  {
    type: 'boolean',
    displayName: 'Boolean',
    empty: false,
    operations: choices(['equal', 'Equal'], ['notEqual', 'Not Equal']),
  },
  {
    type: 'dateTime',
    displayName: 'Date & Time',
    empty: '',
    operations: choices(['after', 'Occurred After'], ['before', 'Occurred Before']),
  },
  {
    type: 'number',
    displayName: 'Number',
    empty: 0,
    operations: choices(
      ['smaller', 'Smaller'],
      ['smallerEqual', 'Smaller or Equal'],
      ['equal', 'Equal'],
      ['notEqual', 'Not Equal'],
      ['larger', 'Larger'],
      ['largerEqual', 'Larger or Equal'],
      ['isEmpty', 'Is Empty'],
      ['isNotEmpty', 'Is Not Empty'],
    ),
  },
  {
    type: 'string',
    displayName: 'String',
    empty: '',
    operations: choices(
      ['equal', 'Equal'],
      ['notEqual', 'Not Equal'],
      ['contains', 'Contains'],
      ['notContains', 'Does Not Contain'],
      ['startsWith', 'Starts With'],
      ['notStartsWith', 'Does Not Start With'],
      ['endsWith', 'Ends With'],
      ['notEndsWith', 'Does Not End With'],
      ['regex', 'Matches Regular Expression'],
      ['notRegex', 'Does Not Match Regular Expression'],
      ['isEmpty', 'Is Empty'],
      ['isNotEmpty', 'Is Not Empty'],
    ),
  },
];

/** The hint for an empty list of conditions. */
export const everyItemPasses = 'without conditions, every item passes';

/** Conditions of version 1, grouped by type. */
export const legacyConditionsProperty: NodeProperty = {
  displayName: 'Conditions',
  name: 'conditions',
  type: 'fixedCollection',
  default: {},
  displayOptions: { show: { '@version': [1] } },
  emptyHint: everyItemPasses,
  typeOptions: { multipleValues: true },
  options: legacyKinds.map(({ type, displayName, empty, operations }) => ({
    name: type,
    displayName,
    values: [
      { displayName: 'Value 1', name: 'value1', type, default: empty, acceptsAnyValue: true },
      choice('operation', 'Operation', operations),
      {
        displayName: 'Value 2',
        name: 'value2',
        type,
        default: empty,
        acceptsAnyValue: true,
        displayOptions: { hide: { operation: ['isEmpty', 'isNotEmpty'] } },
      },
    ],
  })),
};

export const filterProperty: NodeProperty = {
  displayName: 'Conditions',
  name: 'conditions',
  type: 'filter',
  default: {},
  displayOptions: { hide: { '@version': [1] } },
  emptyHint: everyItemPasses,
  description: 'Conditions on each item; regular expressions use RE2 syntax',
};

const ifNotStored = 'applies if the conditions themselves do not set it';

export const ignoreCase = toggle('ignoreCase', 'Ignore Case', `Whether to ignore case; ${ifNotStored}`, {
  default: true,
});

/** For a node's options, or for the top level from `versions` on. */
export const looseTypeValidation = (versions: readonly number[], more: Partial<NodeProperty> = {}): NodeProperty =>
  toggle('looseTypeValidation', 'Convert Types Where Required', `Whether to convert values of another type; ${ifNotStored}`, {
    displayOptions: { show: { '@version': versions } },
    ...more,
  });
