import type { JsonValue, NodeProperty } from '@sluice/node-sdk';
import { choice, choices, names, number, options, toggle, when, where } from '../../shared/properties.ts';
import { defaultJsonOutput } from './json-output.ts';

export const setVersions = [1, 2, 3, 3.1, 3.2, 3.3, 3.4, 3.5];
const first = [1, 2];
const fields = [3, 3.1, 3.2];
const assignments = [3.3, 3.4, 3.5];
const edited = [...fields, ...assignments];

const dotNotation: NodeProperty = toggle(
  'dotNotation',
  'Support Dot Notation',
  'Whether a dot in a field name refers to a nested field: `a.b` writes `{ "a": { "b": … } }`',
  { default: true },
);

const legacyValue = (name: 'string' | 'number' | 'boolean', displayName: string, empty: JsonValue) => ({
  name,
  displayName,
  values: [
    { displayName: 'Name', name: 'name', type: 'string', default: 'propertyName' },
    { displayName: 'Value', name: 'value', type: name, default: empty, acceptsAnyValue: true },
  ] satisfies NodeProperty[],
});

const legacyProperties: readonly NodeProperty[] = [
  toggle('keepOnlySet', 'Keep Only Set', 'Whether only the fields set here remain', when(first)),
  {
    displayName: 'Values to Set',
    name: 'values',
    type: 'fixedCollection',
    default: {},
    ...when(first),
    typeOptions: { multipleValues: true },
    options: [
      legacyValue('boolean', 'Boolean', false),
      legacyValue('number', 'Number', 0),
      legacyValue('string', 'String', ''),
    ],
  },
  options([dotNotation], when(first)),
];

const typedValue = (name: string, type: NodeProperty['type'], empty: JsonValue): NodeProperty => ({
  displayName: 'Value',
  name,
  type,
  default: empty,
  ...where({ type: [name] }),
});

const fieldsProperty: NodeProperty = {
  displayName: 'Fields to Set',
  name: 'fields',
  type: 'fixedCollection',
  default: {},
  ...when(fields, { mode: ['manual'] }),
  typeOptions: { multipleValues: true },
  options: [
    {
      name: 'values',
      displayName: 'Values',
      values: [
        { displayName: 'Name', name: 'name', type: 'string', default: '' },
        choice(
          'type',
          'Type',
          choices(
            ['stringValue', 'String'],
            ['numberValue', 'Number'],
            ['booleanValue', 'Boolean'],
            ['arrayValue', 'Array'],
            ['objectValue', 'Object'],
          ),
        ),
        typedValue('stringValue', 'string', ''),
        typedValue('numberValue', 'string', ''),
        {
          ...typedValue('booleanValue', 'options', 'true'),
          acceptsAnyValue: true,
          options: choices(['true', 'True'], ['false', 'False']),
        },
        typedValue('arrayValue', 'string', ''),
        typedValue('objectValue', 'json', '={}'),
      ],
    },
  ],
};

const includeOptions = choices(['all', 'All'], ['selected', 'Selected'], ['except', 'All Except']);

const includeProperties: readonly NodeProperty[] = [
  choice('include', 'Include in Output', [...includeOptions, { name: 'None', value: 'none' }], {
    ...when(fields),
    description: 'Which fields of the input item to keep',
  }),
  toggle(
    'includeOtherFields',
    'Include Other Input Fields',
    'Whether to keep the input item’s fields, in addition to those set here',
    when(assignments),
  ),
  choice('include', 'Input Fields to Include', includeOptions, when(assignments, { includeOtherFields: [true] })),
  names('includeFields', 'Fields to Include', 'Names separated by commas', when(edited, { include: ['selected'] })),
  names('excludeFields', 'Fields to Exclude', 'Names separated by commas', when(edited, { include: ['except'] })),
];

const optionsProperty: NodeProperty = options(
  [
    toggle('includeBinary', 'Include Binary File', 'Whether to keep the input item’s files', {
      ...when([3, 3.1, 3.2, 3.3]),
      default: true,
    }),
    toggle('stripBinary', 'Strip Binary Data', 'Whether to omit the input item’s files', {
      ...when([3.4, 3.5], { '/includeOtherFields': [true] }),
      default: true,
    }),
    toggle(
      'ignoreConversionErrors',
      'Ignore Type Conversion Errors',
      'Whether to write a value that does not match its type unchanged instead of failing',
      where({ '/mode': ['manual'] }),
    ),
    dotNotation,
  ],
  when(edited),
);

export const setProperties: readonly NodeProperty[] = [
  ...legacyProperties,
  choice(
    'mode',
    'Mode',
    choices(['manual', 'Manual Mapping', 'Set fields one by one'], ['raw', 'JSON', 'Write the item as JSON']),
    when(edited),
  ),
  toggle('duplicateItem', 'Duplicate Item', 'Whether to output each item several times, as test data', when(edited)),
  number(
    'duplicateCount',
    'Duplicate Item Count',
    0,
    'Number of copies of each item, at most 1,000; only in manual runs',
    when(edited, { duplicateItem: [true] }),
  ),
  {
    displayName: 'JSON',
    name: 'jsonOutput',
    type: 'json',
    default: defaultJsonOutput,
    expressionsAsValues: true,
    ...when(edited, { mode: ['raw'] }),
  },
  fieldsProperty,
  {
    displayName: 'Fields to Set',
    name: 'assignments',
    type: 'assignmentCollection',
    default: {},
    ...when(assignments, { mode: ['manual'] }),
    description: 'Name, type and value of each field',
  },
  ...includeProperties,
  optionsProperty,
];
