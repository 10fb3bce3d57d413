import type { JsonValue, NodeProperty, NodePropertyOption } from '@sluice/node-sdk';

export const mergeVersions = [1, 2, 2.1, 3, 3.1, 3.2];
const second = [2, 2.1];
const third = [3, 3.1, 3.2];

const when = (versions: readonly JsonValue[], more: Record<string, readonly JsonValue[]> = {}) => ({
  show: { '@version': versions, ...more },
});
const choices = (...values: [string, string][]): NodePropertyOption[] => values.map(([value, name]) => ({ value, name }));
const inputNumbers = Array.from({ length: 10 }, (_, index) => ({ name: `${index + 1}`, value: index + 1 }));

const legacyKey = (name: string, input: number): NodeProperty => ({
  displayName: `Property Input ${input}`,
  name,
  type: 'string',
  default: '',
  required: true,
  displayOptions: when([1], { mode: ['keepKeyMatches', 'mergeByKey', 'removeKeyMatches'] }),
  description: `The field of input ${input} to compare; dots reach into objects`,
});

const legacyProperties: readonly NodeProperty[] = [
  {
    displayName: 'Mode',
    name: 'mode',
    type: 'options',
    default: 'append',
    displayOptions: when([1]),
    options: choices(
      ['append', 'Append'],
      ['keepKeyMatches', 'Keep Key Matches'],
      ['mergeByIndex', 'Merge By Index'],
      ['mergeByKey', 'Merge By Key'],
      ['multiplex', 'Multiplex'],
      ['passThrough', 'Pass-Through'],
      ['removeKeyMatches', 'Remove Key Matches'],
      ['wait', 'Wait'],
    ),
  },
  {
    displayName: 'Join',
    name: 'join',
    type: 'options',
    default: 'left',
    displayOptions: when([1], { mode: ['mergeByIndex'] }),
    options: choices(['inner', 'Inner Join'], ['left', 'Left Join'], ['outer', 'Outer Join']),
  },
  legacyKey('propertyName1', 1),
  legacyKey('propertyName2', 2),
  {
    displayName: 'Output Data',
    name: 'output',
    type: 'options',
    default: 'input1',
    displayOptions: when([1], { mode: ['passThrough'] }),
    options: choices(['input1', 'Input 1'], ['input2', 'Input 2']),
  },
  {
    displayName: 'Overwrite',
    name: 'overwrite',
    type: 'options',
    default: 'always',
    displayOptions: when([1], { mode: ['mergeByKey'] }),
    options: choices(['always', 'Always'], ['blank', 'If Blank'], ['undefined', 'If Missing']),
    description: 'When a field of input 2 takes the place of one of input 1',
  },
];

const pairs: NodeProperty['options'] = [
  {
    name: 'values',
    displayName: 'Fields',
    values: [
      { displayName: 'Input 1 Field', name: 'field1', type: 'string', default: '' },
      { displayName: 'Input 2 Field', name: 'field2', type: 'string', default: '' },
    ],
  },
];

const fieldProperties: readonly NodeProperty[] = [
  {
    displayName: 'Fields To Match Have Different Names',
    name: 'advanced',
    type: 'boolean',
    default: false,
    displayOptions: when(third, { mode: ['combine'], combineBy: ['combineByFields'] }),
  },
  {
    displayName: 'Fields to Match',
    name: 'fieldsToMatchString',
    type: 'string',
    default: '',
    required: true,
    displayOptions: when(third, { mode: ['combine'], combineBy: ['combineByFields'], advanced: [false] }),
    description: 'Names of fields that both inputs have, separated by commas',
    acceptsList: true,
  },
  {
    displayName: 'Fields to Match',
    name: 'mergeByFields',
    type: 'fixedCollection',
    default: {},
    displayOptions: when(third, { mode: ['combine'], combineBy: ['combineByFields'], advanced: [true] }),
    typeOptions: { multipleValues: true },
    options: pairs,
  },
  {
    displayName: 'Fields to Match',
    name: 'mergeByFields',
    type: 'fixedCollection',
    default: {},
    displayOptions: when(second, { mode: ['combine'], combinationMode: ['mergeByFields'] }),
    typeOptions: { multipleValues: true },
    options: pairs,
  },
  {
    displayName: 'Output Type',
    name: 'joinMode',
    type: 'options',
    default: 'keepMatches',
    displayOptions: { show: { mode: ['combine'] }, hide: { '@version': [1] } },
    options: choices(
      ['keepMatches', 'Keep Matches'],
      ['keepNonMatches', 'Keep Non-Matches'],
      ['keepEverything', 'Keep Everything'],
      ['enrichInput1', 'Enrich Input 1'],
      ['enrichInput2', 'Enrich Input 2'],
    ),
    description: 'Which items come out when fields are matched',
  },
  {
    displayName: 'Output Data From',
    name: 'outputDataFrom',
    type: 'options',
    default: 'both',
    displayOptions: { show: { mode: ['combine'], joinMode: ['keepMatches', 'keepNonMatches'] }, hide: { '@version': [1] } },
    options: choices(['both', 'Both Inputs'], ['input1', 'Input 1'], ['input2', 'Input 2']),
  },
];

const clashHandling: NodeProperty = {
  displayName: 'Clash Handling',
  name: 'clashHandling',
  type: 'fixedCollection',
  default: {},
  description: 'How to resolve fields that several inputs have; by default the last input wins at every level',
  options: [
    {
      name: 'values',
      displayName: 'Values',
      values: [
        {
          displayName: 'When Field Values Clash',
          name: 'resolveClash',
          type: 'options',
          default: '',
          options: [
            ...choices(['addSuffix', 'Always Add Input Number to Field Names'], ['preferLast', 'Prefer Last Input']),
            ...inputNumbers.map(({ name }) => ({ name: `Prefer Input ${name}`, value: `preferInput${name}` })),
          ],
        },
        {
          displayName: 'Merging Nested Fields',
          name: 'mergeMode',
          type: 'options',
          default: 'deepMerge',
          options: choices(['deepMerge', 'Deep Merge'], ['shallowMerge', 'Shallow Merge']),
          displayOptions: { hide: { resolveClash: ['addSuffix'] } },
        },
        {
          displayName: 'Minimize Empty Fields',
          name: 'overrideEmpty',
          type: 'boolean',
          default: false,
          displayOptions: { hide: { resolveClash: ['addSuffix'] } },
          description: 'Whether an empty field of the preferred input gives way to the others',
        },
      ],
    },
  ],
};

const optionsProperty: NodeProperty = {
  displayName: 'Options',
  name: 'options',
  type: 'collection',
  default: {},
  displayOptions: { show: { mode: ['combine'] }, hide: { '@version': [1] } },
  options: [
    clashHandling,
    {
      displayName: 'Disable Dot Notation',
      name: 'disableDotNotation',
      type: 'boolean',
      default: false,
      description: 'Whether a dot in a field to match is part of its name',
    },
    {
      displayName: 'Fuzzy Compare',
      name: 'fuzzyCompare',
      type: 'boolean',
      default: false,
      description: 'Whether numbers equal their text, and missing, null and empty fields each other',
    },
    {
      displayName: 'Include Any Unpaired Items',
      name: 'includeUnpaired',
      type: 'boolean',
      default: false,
      description: 'Whether, by position, the surplus of a longer input comes out too',
    },
    {
      displayName: 'Multiple Matches',
      name: 'multipleMatches',
      type: 'options',
      default: 'all',
      options: choices(['all', 'Include All Matches'], ['first', 'Include First Match Only']),
    },
  ],
};

/** Workflow files omit this default. */
export const defaultQuery = 'SELECT *\nFROM input1\nLEFT JOIN input2\n  ON input1.name = input2.id';

const sqlProperties: readonly NodeProperty[] = [
  {
    displayName: 'Query',
    name: 'query',
    type: 'string',
    default: defaultQuery,
    required: true,
    expressionsAsValues: true,
    isTemplate: true,
    displayOptions: when(third, { mode: ['combineBySql'] }),
    description:
      'One or more SELECT statements in the dialect of SQLite. The tables are input1, input2, and so on, with the fields of the items as columns. An expression within the query is a value, also within quotes',
  },
  {
    displayName: 'Options',
    name: 'options',
    type: 'collection',
    default: {},
    displayOptions: when(third, { mode: ['combineBySql'] }),
    options: [
      {
        displayName: 'Empty Query Result',
        name: 'emptyQueryResult',
        type: 'options',
        default: 'empty',
        displayOptions: when([3.2]),
        options: choices(['success', 'Success'], ['empty', 'Empty Result']),
        description:
          'Whether a query without rows gives an item `{ success: true }` or nothing; before version 3.2, always the item',
      },
      {
        displayName: 'Query Parameters',
        name: 'queryParameters',
        type: 'string',
        default: '',
        isExpressionList: true,
        description: 'Values for each `?` in the query, separated by commas, or an expression that gives a list',
      },
    ],
  },
];

export const mergeProperties: readonly NodeProperty[] = [
  ...legacyProperties,
  {
    displayName: 'Mode',
    name: 'mode',
    type: 'options',
    default: 'append',
    displayOptions: { hide: { '@version': [1] } },
    options: [
      { name: 'Append', value: 'append', description: 'Items of all inputs, one input after the other' },
      { name: 'Combine', value: 'combine', description: 'Items of the inputs merged into one another' },
      { name: 'Choose Branch', value: 'chooseBranch', description: 'Items of one input, once all have arrived' },
      { name: 'SQL Query', value: 'combineBySql', description: 'Rows of an SQL query over the inputs' },
    ],
  },
  {
    displayName: 'Combination Mode',
    name: 'combinationMode',
    type: 'options',
    default: 'mergeByFields',
    displayOptions: when(second, { mode: ['combine'] }),
    options: choices(
      ['mergeByFields', 'Merge By Fields'],
      ['mergeByPosition', 'Merge By Position'],
      ['multiplex', 'Multiplex'],
    ),
  },
  {
    displayName: 'Combine By',
    name: 'combineBy',
    type: 'options',
    default: 'combineByFields',
    displayOptions: when(third, { mode: ['combine'] }),
    options: choices(
      ['combineByFields', 'Matching Fields'],
      ['combineByPosition', 'Position'],
      ['combineAll', 'All Possible Combinations'],
    ),
  },
  {
    displayName: 'Number of Inputs',
    name: 'numberInputs',
    type: 'options',
    default: 2,
    displayOptions: when(third),
    options: inputNumbers.slice(1),
    description: 'How many inputs there are, to append, to combine by position, to query or to choose from',
  },
  ...fieldProperties,
  {
    displayName: 'Output',
    name: 'output',
    type: 'options',
    default: 'input1',
    displayOptions: when(second, { mode: ['chooseBranch'] }),
    options: choices(['input1', 'Input 1 Data'], ['input2', 'Input 2 Data'], ['empty', 'A Single, Empty Item']),
  },
  {
    displayName: 'Output',
    name: 'output',
    type: 'options',
    default: 'specifiedInput',
    displayOptions: when(third, { mode: ['chooseBranch'] }),
    options: choices(['specifiedInput', 'Data of Specified Input'], ['empty', 'A Single, Empty Item']),
  },
  {
    displayName: 'Use Data of Input',
    name: 'useDataOfInput',
    type: 'options',
    default: 1,
    displayOptions: when(third, { mode: ['chooseBranch'], output: ['specifiedInput'] }),
    options: inputNumbers,
  },
  optionsProperty,
  ...sqlProperties,
];
