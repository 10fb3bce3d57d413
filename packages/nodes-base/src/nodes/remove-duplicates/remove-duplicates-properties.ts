import type { NodeProperty } from '@sluice/node-sdk';
import { atLeast, choice, choices, disableDotNotation, names, number, options, text, toggle } from '../../shared/properties.ts';

type Show = NonNullable<NonNullable<NodeProperty['displayOptions']>['show']>;

const removeOtherFields = toggle(
  'removeOtherFields',
  'Remove Other Fields',
  'Whether to omit the fields that are not compared',
);

export const compareChoices = choices(
  ['allFields', 'All Fields'],
  ['allFieldsExcept', 'All Fields Except'],
  ['selectedFields', 'Selected Fields'],
);

/** Parameters for removing duplicates within the input. */
const comparison = (show: Show): readonly NodeProperty[] => [
  choice('compare', 'Compare', compareChoices, {
    description: 'Which fields identify duplicates; a field must have the same type in all items',
    displayOptions: { show },
  }),
  names('fieldsToExclude', 'Fields To Exclude', 'Names separated by commas', {
    displayOptions: { show: { ...show, compare: ['allFieldsExcept'] } },
  }),
  names('fieldsToCompare', 'Fields To Compare', 'Names separated by commas', {
    displayOptions: { show: { ...show, compare: ['selectedFields'] } },
  }),
];

const acrossExecutions: Show = { '@version': [2], operation: ['removeItemsSeenInPreviousExecutions'] };
const history = (logic: string) => ({ displayOptions: { show: { ...acrossExecutions, logic: [logic] } } });

export const removeDuplicatesProperties: readonly NodeProperty[] = [
  choice(
    'operation',
    'Operation',
    choices(
      ['removeDuplicateInputItems', 'Remove Items Repeated Within Current Input'],
      ['removeItemsSeenInPreviousExecutions', 'Remove Items Processed in Previous Executions'],
      ['clearDeduplicationHistory', 'Clear Deduplication History'],
    ),
    { displayOptions: { show: { '@version': [2] } } },
  ),
  ...comparison({ '@version': [1, 1.1] }),
  ...comparison({ '@version': [2], operation: ['removeDuplicateInputItems'] }),
  choice(
    'logic',
    'Keep Items Where',
    choices(
      ['removeItemsWithAlreadySeenKeyValues', 'Value Is New'],
      ['removeItemsUpToStoredIncrementalKey', 'Value Is Higher than Any Previous Value'],
      ['removeItemsUpToStoredDate', 'Value Is a Date Later than Any Previous Date'],
    ),
    { displayOptions: { show: acrossExecutions } },
  ),
  text(
    'dedupeValue',
    'Value to Dedupe On',
    'Value that identifies an item, usually an ID',
    history('removeItemsWithAlreadySeenKeyValues'),
  ),
  number(
    'incrementalDedupeValue',
    'Value to Dedupe On',
    0,
    'A number that increases from item to item',
    history('removeItemsUpToStoredIncrementalKey'),
  ),
  {
    displayName: 'Value to Dedupe On',
    name: 'dateDedupeValue',
    type: 'dateTime',
    default: '',
    description: 'A date that increases from item to item',
    ...history('removeItemsUpToStoredDate'),
  },
  choice('mode', 'Mode', choices(['cleanDatabase', 'Clean Database', 'Forgets all values of the scope']), {
    displayOptions: { show: { '@version': [2], operation: ['clearDeduplicationHistory'] } },
  }),
  options([
    disableDotNotation,
    removeOtherFields,
    choice('scope', 'Scope', choices(['node', 'Node'], ['workflow', 'Workflow']), {
      description: 'Scope of the history: this node, or all nodes of the workflow',
      displayOptions: { show: { '@version': [2] } },
    }),
    atLeast(
      1,
      number('historySize', 'History Size', 10_000, 'Maximum number of remembered values; the oldest are removed first', {
        displayOptions: { show: { '@version': [2], '/logic': ['removeItemsWithAlreadySeenKeyValues'] } },
      }),
    ),
  ]),
];
