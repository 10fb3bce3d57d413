import type { NodeProperty } from '@sluice/node-sdk';
import { choice, choices, disableDotNotation, list, names, options, text, toggle, when } from '../../shared/properties.ts';

export const mergeVersions = [1, 2, 2.1, 3, 3.1, 3.2];
const second = [2, 2.1];
const third = [3, 3.1, 3.2];

const inputNumbers = Array.from({ length: 10 }, (_, index) => ({ name: `${index + 1}`, value: index + 1 }));

const legacyKey = (name: string, input: number): NodeProperty =>
  text(name, `Property Input ${input}`, `The field of input ${input} to compare; dots separate nested fields`, {
    required: true,
    ...when([1], { mode: ['keepKeyMatches', 'mergeByKey', 'removeKeyMatches'] }),
  });

const legacyProperties: readonly NodeProperty[] = [
  choice(
    'mode',
    'Mode',
    choices(
      ['append', 'Append'],
      ['keepKeyMatches', 'Keep Key Matches'],
      ['mergeByIndex', 'Merge By Index'],
      ['mergeByKey', 'Merge By Key'],
      ['multiplex', 'Multiplex'],
      ['passThrough', 'Pass-Through'],
      ['removeKeyMatches', 'Remove Key Matches'],
      ['wait', 'Wait'],
    ),
    when([1]),
  ),
  choice('join', 'Join', choices(['inner', 'Inner Join'], ['left', 'Left Join'], ['outer', 'Outer Join']), {
    ...when([1], { mode: ['mergeByIndex'] }),
    default: 'left',
  }),
  legacyKey('propertyName1', 1),
  legacyKey('propertyName2', 2),
  choice('output', 'Output Data', choices(['input1', 'Input 1'], ['input2', 'Input 2']), when([1], { mode: ['passThrough'] })),
  choice('overwrite', 'Overwrite', choices(['always', 'Always'], ['blank', 'If Blank'], ['undefined', 'If Missing']), {
    ...when([1], { mode: ['mergeByKey'] }),
    description: 'When a field of input 2 replaces a field of input 1',
  }),
];

const pairs: readonly NodeProperty[] = [
  { displayName: 'Input 1 Field', name: 'field1', type: 'string', default: '' },
  { displayName: 'Input 2 Field', name: 'field2', type: 'string', default: '' },
];

const fromVersion2 = { displayOptions: { show: { mode: ['combine'] }, hide: { '@version': [1] } } };

const fieldProperties: readonly NodeProperty[] = [
  toggle(
    'advanced',
    'Fields To Match Have Different Names',
    'Whether each field to match has one name in input 1 and another in input 2',
    when(third, { mode: ['combine'], combineBy: ['combineByFields'] }),
  ),
  names('fieldsToMatchString', 'Fields to Match', 'Names of fields that both inputs have, separated by commas', {
    required: true,
    ...when(third, { mode: ['combine'], combineBy: ['combineByFields'], advanced: [false] }),
  }),
  list(
    'mergeByFields',
    'Fields to Match',
    'values',
    pairs,
    when(third, { mode: ['combine'], combineBy: ['combineByFields'], advanced: [true] }),
  ),
  list(
    'mergeByFields',
    'Fields to Match',
    'values',
    pairs,
    when(second, { mode: ['combine'], combinationMode: ['mergeByFields'] }),
  ),
  choice(
    'joinMode',
    'Output Type',
    choices(
      ['keepMatches', 'Keep Matches'],
      ['keepNonMatches', 'Keep Non-Matches'],
      ['keepEverything', 'Keep Everything'],
      ['enrichInput1', 'Enrich Input 1'],
      ['enrichInput2', 'Enrich Input 2'],
    ),
    {
      ...fromVersion2,
      description: 'Which items to output when fields are matched',
    },
  ),
  choice('outputDataFrom', 'Output Data From', choices(['both', 'Both Inputs'], ['input1', 'Input 1'], ['input2', 'Input 2']), {
    displayOptions: { show: { mode: ['combine'], joinMode: ['keepMatches', 'keepNonMatches'] }, hide: { '@version': [1] } },
  }),
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
        choice(
          'resolveClash',
          'When Field Values Clash',
          [
            ...choices(['addSuffix', 'Always Add Input Number to Field Names'], ['preferLast', 'Prefer Last Input']),
            ...inputNumbers.map(({ name }) => ({ name: `Prefer Input ${name}`, value: `preferInput${name}` })),
          ],
          { default: '' },
        ),
        choice('mergeMode', 'Merging Nested Fields', choices(['deepMerge', 'Deep Merge'], ['shallowMerge', 'Shallow Merge']), {
          displayOptions: { hide: { resolveClash: ['addSuffix'] } },
        }),
        toggle(
          'overrideEmpty',
          'Minimize Empty Fields',
          'Whether other inputs override an empty field of the preferred input',
          { displayOptions: { hide: { resolveClash: ['addSuffix'] } } },
        ),
      ],
    },
  ],
};

const optionsProperty: NodeProperty = options(
  [
    clashHandling,
    disableDotNotation,
    toggle(
      'fuzzyCompare',
      'Fuzzy Compare',
      'Whether numbers equal their text, and missing, null, and empty fields equal each other',
    ),
    toggle(
      'includeUnpaired',
      'Include Any Unpaired Items',
      'Whether to also output the surplus items of a longer input when combining by position',
    ),
    choice(
      'multipleMatches',
      'Multiple Matches',
      choices(['all', 'Include All Matches'], ['first', 'Include First Match Only']),
    ),
  ],
  fromVersion2,
);

/** Workflow files omit this default. */
export const defaultQuery = 'SELECT *\nFROM input1\nLEFT JOIN input2\n  ON input1.name = input2.id';

const sqlProperties: readonly NodeProperty[] = [
  text(
    'query',
    'Query',
    'One or more SELECT statements in SQLite’s dialect. The tables are input1, input2, and so on, with the items’ fields as columns. An expression within the query is a value, even within quotes',
    {
      required: true,
      expressionsAsValues: true,
      isTemplate: true,
      typeOptions: { editor: 'sqlEditor', rows: 6 },
      ...when(third, { mode: ['combineBySql'] }),
      default: defaultQuery,
    },
  ),
  options(
    [
      choice('emptyQueryResult', 'Empty Query Result', choices(['success', 'Success'], ['empty', 'Empty Result']), {
        ...when([3.2]),
        description:
          'Whether a query without rows returns an item `{ success: true }` or nothing; before version 3.2, always the item',
        default: 'empty',
      }),
      text(
        'queryParameters',
        'Query Parameters',
        'Values for each `?` in the query, separated by commas, or an expression that returns a list',
        { isExpressionList: true },
      ),
    ],
    when(third, { mode: ['combineBySql'] }),
  ),
];

export const mergeProperties: readonly NodeProperty[] = [
  ...legacyProperties,
  choice(
    'mode',
    'Mode',
    choices(
      ['append', 'Append', 'Items of all inputs, one input after another'],
      ['combine', 'Combine', 'Items of the inputs, merged with each other'],
      ['chooseBranch', 'Choose Branch', 'Items of one input, once all have arrived'],
      ['combineBySql', 'SQL Query', 'Rows of an SQL query over the inputs'],
    ),
    { displayOptions: { hide: { '@version': [1] } } },
  ),
  choice(
    'combinationMode',
    'Combination Mode',
    choices(['mergeByFields', 'Merge By Fields'], ['mergeByPosition', 'Merge By Position'], ['multiplex', 'Multiplex']),
    when(second, { mode: ['combine'] }),
  ),
  choice(
    'combineBy',
    'Combine By',
    choices(
      ['combineByFields', 'Matching Fields'],
      ['combineByPosition', 'Position'],
      ['combineAll', 'All Possible Combinations'],
    ),
    when(third, { mode: ['combine'] }),
  ),
  choice('numberInputs', 'Number of Inputs', inputNumbers.slice(1), {
    ...when(third),
    description: 'Number of inputs to append, combine by position, query, or choose from',
    default: 2,
  }),
  ...fieldProperties,
  choice(
    'output',
    'Output',
    choices(['input1', 'Input 1 Data'], ['input2', 'Input 2 Data'], ['empty', 'A Single, Empty Item']),
    when(second, { mode: ['chooseBranch'] }),
  ),
  choice(
    'output',
    'Output',
    choices(['specifiedInput', 'Data of Specified Input'], ['empty', 'A Single, Empty Item']),
    when(third, { mode: ['chooseBranch'] }),
  ),
  choice('useDataOfInput', 'Use Data of Input', inputNumbers, {
    ...when(third, { mode: ['chooseBranch'], output: ['specifiedInput'] }),
    default: 1,
  }),
  optionsProperty,
  ...sqlProperties,
];
