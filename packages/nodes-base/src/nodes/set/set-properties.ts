import type { JsonValue, NodeProperty } from '@sluice/node-sdk';
import { defaultJsonOutput } from './json-output.ts';

export const setVersions = [1, 2, 3, 3.1, 3.2, 3.3, 3.4, 3.5];
const first = [1, 2];
const fields = [3, 3.1, 3.2];
const assignments = [3.3, 3.4, 3.5];
const edited = [...fields, ...assignments];

const when = (versions: readonly JsonValue[], more: Record<string, readonly JsonValue[]> = {}) => ({
  show: { '@version': versions, ...more },
});

const dotNotation: NodeProperty = {
  displayName: 'Support Dot Notation',
  name: 'dotNotation',
  type: 'boolean',
  default: true,
  description: 'Whether a dot in a field’s name means a field within a field: `a.b` writes `{ "a": { "b": … } }`',
};

const legacyValue = (name: 'string' | 'number' | 'boolean', displayName: string, empty: JsonValue) => ({
  name,
  displayName,
  values: [
    { displayName: 'Name', name: 'name', type: 'string', default: 'propertyName' },
    { displayName: 'Value', name: 'value', type: name, default: empty, acceptsAnyValue: true },
  ] satisfies NodeProperty[],
});

const legacyProperties: readonly NodeProperty[] = [
  {
    displayName: 'Keep Only Set',
    name: 'keepOnlySet',
    type: 'boolean',
    default: false,
    displayOptions: when(first),
    description: 'Whether only the fields set here remain',
  },
  {
    displayName: 'Values to Set',
    name: 'values',
    type: 'fixedCollection',
    default: {},
    displayOptions: when(first),
    typeOptions: { multipleValues: true },
    options: [
      legacyValue('boolean', 'Boolean', false),
      legacyValue('number', 'Number', 0),
      legacyValue('string', 'String', ''),
    ],
  },
  {
    displayName: 'Options',
    name: 'options',
    type: 'collection',
    default: {},
    displayOptions: when(first),
    options: [dotNotation],
  },
];

const typedValue = (name: string, type: NodeProperty['type'], empty: JsonValue): NodeProperty => ({
  displayName: 'Value',
  name,
  type,
  default: empty,
  displayOptions: { show: { type: [name] } },
});

const fieldsProperty: NodeProperty = {
  displayName: 'Fields to Set',
  name: 'fields',
  type: 'fixedCollection',
  default: {},
  displayOptions: when(fields, { mode: ['manual'] }),
  typeOptions: { multipleValues: true },
  options: [
    {
      name: 'values',
      displayName: 'Values',
      values: [
        { displayName: 'Name', name: 'name', type: 'string', default: '' },
        {
          displayName: 'Type',
          name: 'type',
          type: 'options',
          default: 'stringValue',
          options: [
            { name: 'String', value: 'stringValue' },
            { name: 'Number', value: 'numberValue' },
            { name: 'Boolean', value: 'booleanValue' },
            { name: 'Array', value: 'arrayValue' },
            { name: 'Object', value: 'objectValue' },
          ],
        },
        typedValue('stringValue', 'string', ''),
        typedValue('numberValue', 'string', ''),
        {
          ...typedValue('booleanValue', 'options', 'true'),
          acceptsAnyValue: true,
          options: [
            { name: 'True', value: 'true' },
            { name: 'False', value: 'false' },
          ],
        },
        typedValue('arrayValue', 'string', ''),
        typedValue('objectValue', 'json', '={}'),
      ],
    },
  ],
};

const includeOptions = [
  { name: 'All', value: 'all' },
  { name: 'Selected', value: 'selected' },
  { name: 'All Except', value: 'except' },
];

const includeProperties: readonly NodeProperty[] = [
  {
    displayName: 'Include in Output',
    name: 'include',
    type: 'options',
    default: 'all',
    displayOptions: when(fields),
    options: [...includeOptions, { name: 'None', value: 'none' }],
    description: 'Which fields of the input item stay',
  },
  {
    displayName: 'Include Other Input Fields',
    name: 'includeOtherFields',
    type: 'boolean',
    default: false,
    displayOptions: when(assignments),
    description: 'Whether fields of the input item stay, beside those set here',
  },
  {
    displayName: 'Input Fields to Include',
    name: 'include',
    type: 'options',
    default: 'all',
    displayOptions: when(assignments, { includeOtherFields: [true] }),
    options: includeOptions,
  },
  {
    displayName: 'Fields to Include',
    name: 'includeFields',
    type: 'string',
    default: '',
    displayOptions: when(edited, { include: ['selected'] }),
    description: 'Names separated by commas',
    acceptsList: true,
  },
  {
    displayName: 'Fields to Exclude',
    name: 'excludeFields',
    type: 'string',
    default: '',
    displayOptions: when(edited, { include: ['except'] }),
    description: 'Names separated by commas',
    acceptsList: true,
  },
];

const optionsProperty: NodeProperty = {
  displayName: 'Options',
  name: 'options',
  type: 'collection',
  default: {},
  displayOptions: when(edited),
  options: [
    {
      displayName: 'Include Binary File',
      name: 'includeBinary',
      type: 'boolean',
      default: true,
      displayOptions: when([3, 3.1, 3.2, 3.3]),
      description: 'Whether the files of the input item stay',
    },
    {
      displayName: 'Strip Binary Data',
      name: 'stripBinary',
      type: 'boolean',
      default: true,
      displayOptions: when([3.4, 3.5], { '/includeOtherFields': [true] }),
      description: 'Whether the files of the input item are left out',
    },
    {
      displayName: 'Ignore Type Conversion Errors',
      name: 'ignoreConversionErrors',
      type: 'boolean',
      default: false,
      displayOptions: { show: { '/mode': ['manual'] } },
      description: 'Whether to write a value that does not match its type unchanged instead of failing',
    },
    dotNotation,
  ],
};

export const setProperties: readonly NodeProperty[] = [
  ...legacyProperties,
  {
    displayName: 'Mode',
    name: 'mode',
    type: 'options',
    default: 'manual',
    displayOptions: when(edited),
    options: [
      { name: 'Manual Mapping', value: 'manual', description: 'Set fields one by one' },
      { name: 'JSON', value: 'raw', description: 'Write the item as JSON' },
    ],
  },
  {
    displayName: 'Duplicate Item',
    name: 'duplicateItem',
    type: 'boolean',
    default: false,
    displayOptions: when(edited),
    description: 'Whether to output each item several times, as test data',
  },
  {
    displayName: 'Duplicate Item Count',
    name: 'duplicateCount',
    type: 'number',
    default: 0,
    displayOptions: when(edited, { duplicateItem: [true] }),
    description: 'Number of copies of each item, at most 1,000; only in manual runs',
  },
  {
    displayName: 'JSON',
    name: 'jsonOutput',
    type: 'json',
    default: defaultJsonOutput,
    expressionsAsValues: true,
    displayOptions: when(edited, { mode: ['raw'] }),
  },
  fieldsProperty,
  {
    displayName: 'Fields to Set',
    name: 'assignments',
    type: 'assignmentCollection',
    default: {},
    displayOptions: when(assignments, { mode: ['manual'] }),
    description: 'Name, type and value of each field',
  },
  ...includeProperties,
  optionsProperty,
];
