import type { JsonValue, NodeProperty, NodePropertyOption } from '@sluice/node-sdk';

export const ifVersions = [1, 2, 2.1, 2.2, 2.3];
const legacy = { show: { '@version': [1] } };

const choices = (...values: [string, string][]): NodePropertyOption[] => values.map(([value, name]) => ({ value, name }));

const legacyGroup = (
  name: string,
  displayName: string,
  type: NodeProperty['type'],
  empty: JsonValue,
  operations: NodePropertyOption[],
) => ({
  name,
  displayName,
  values: [
    { displayName: 'Value 1', name: 'value1', type, default: empty },
    { displayName: 'Operation', name: 'operation', type: 'options', default: operations[0]?.value ?? '', options: operations },
    {
      displayName: 'Value 2',
      name: 'value2',
      type,
      default: empty,
      displayOptions: { hide: { operation: ['isEmpty', 'isNotEmpty'] } },
    },
  ] satisfies NodeProperty[],
});

export const ifProperties: readonly NodeProperty[] = [
  {
    displayName: 'Conditions',
    name: 'conditions',
    type: 'fixedCollection',
    default: {},
    displayOptions: legacy,
    typeOptions: { multipleValues: true },
    options: [
      legacyGroup('boolean', 'Boolean', 'boolean', false, choices(['equal', 'Equal'], ['notEqual', 'Not Equal'])),
      legacyGroup(
        'dateTime',
        'Date & Time',
        'dateTime',
        '',
        choices(['after', 'Occurred After'], ['before', 'Occurred Before']),
      ),
      legacyGroup(
        'number',
        'Number',
        'number',
        0,
        choices(
          ['smaller', 'Smaller'],
          ['smallerEqual', 'Smaller or Equal'],
          ['equal', 'Equal'],
          ['notEqual', 'Not Equal'],
          ['larger', 'Larger'],
          ['largerEqual', 'Larger or Equal'],
          ['isEmpty', 'Is Empty'],
          ['isNotEmpty', 'Is Not Empty'],
        ),
      ),
      legacyGroup(
        'string',
        'String',
        'string',
        '',
        choices(
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
      ),
    ],
  },
  {
    displayName: 'Combine',
    name: 'combineOperation',
    type: 'options',
    default: 'all',
    displayOptions: legacy,
    options: choices(['all', 'All conditions'], ['any', 'Any condition']),
    description: 'Whether an item has to meet all conditions or any of them',
  },
  {
    displayName: 'Conditions',
    name: 'conditions',
    type: 'filter',
    default: {},
    displayOptions: { hide: { '@version': [1] } },
    description: 'Conditions on each item; regular expressions have the syntax of RE2',
  },
  {
    displayName: 'Convert Types Where Required',
    name: 'looseTypeValidation',
    type: 'boolean',
    default: false,
    displayOptions: { show: { '@version': [2.1, 2.2, 2.3] } },
    description: 'Whether values of another type are converted; counts where the conditions themselves do not say',
  },
  {
    displayName: 'Options',
    name: 'options',
    type: 'collection',
    default: {},
    displayOptions: { hide: { '@version': [1] } },
    options: [
      {
        displayName: 'Ignore Case',
        name: 'ignoreCase',
        type: 'boolean',
        default: true,
        description: 'Whether upper and lower case are the same; counts where the conditions themselves do not say',
      },
      {
        displayName: 'Less Strict Type Validation',
        name: 'looseTypeValidation',
        type: 'boolean',
        default: true,
        displayOptions: { show: { '@version': [2] } },
        description: 'Whether values of another type are converted; counts where the conditions themselves do not say',
      },
    ],
  },
];
