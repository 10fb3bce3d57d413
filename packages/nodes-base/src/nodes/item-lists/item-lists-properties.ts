import type { NodeProperty } from '@sluice/node-sdk';
import {
  atLeast,
  choice,
  choices,
  collection,
  disableDotNotation,
  list,
  names,
  number,
  options,
  text,
  toggle,
} from '../../shared/properties.ts';
import { aggregatedField } from '../aggregate/aggregate-properties.ts';
import { compareChoices } from '../remove-duplicates/remove-duplicates-properties.ts';
import { sortCode, sortField, sortTypes } from '../sort/sort-properties.ts';
import { summarizedField, summarizeOptions } from '../summarize/summarize-properties.ts';

const before3 = [1, 2, 2.1, 2.2];
const from3 = [3, 3.1];
export const itemListsVersions = [...before3, ...from3];

const splitOut = { operation: ['splitOutItems'] };
const aggregate = { operation: ['aggregateItems', 'concatenateItems'] };
const wholeItems = { ...aggregate, aggregate: ['aggregateAllItemData'] };
const removeDuplicates = { operation: ['removeDuplicates'] };
const sort = { operation: ['sort'] };
const limit = { operation: ['limit'] };
const summarize = { operation: ['summarize'] };

type Show = Record<string, readonly string[]>;
const showIf = (show: Show) => ({ displayOptions: { show } });

/** Field names: a list of entries before version 3, a comma-separated string from then on. */
const fieldNames = (name: string, displayName: string, show: Show): NodeProperty[] => [
  list(name, displayName, 'fields', [text('fieldName', 'Field Name', 'Field name')], {
    displayOptions: { show: { '@version': before3, ...show } },
  }),
  names(name, displayName, 'Names separated by commas', { displayOptions: { show: { '@version': from3, ...show } } }),
];

const operation = (before: string, versions: readonly number[]): NodeProperty =>
  choice(
    'operation',
    'Operation',
    choices(
      ['splitOutItems', 'Split Out Items'],
      [before, versions === before3 ? 'Aggregate Items' : 'Concatenate Items'],
      ['limit', 'Limit'],
      ['removeDuplicates', 'Remove Duplicates'],
      ['sort', 'Sort'],
      ['summarize', 'Summarize'],
    ),
    { displayOptions: { show: { '@version': versions } } },
  );

const included = (name: string, displayName: string, show: Show, values: [string, string][]): NodeProperty =>
  choice(name, displayName, choices(...values), showIf(show));

export const itemListsProperties: readonly NodeProperty[] = [
  operation('aggregateItems', before3),
  operation('concatenateItems', from3),
  text('fieldToSplitOut', 'Field To Split Out', 'The field that holds a list', showIf(splitOut)),
  included('include', 'Include', splitOut, [
    ['noOtherFields', 'No Other Fields'],
    ['allOtherFields', 'All Other Fields'],
    ['selectedOtherFields', 'Selected Other Fields'],
  ]),
  ...fieldNames('fieldsToInclude', 'Fields To Include', { ...splitOut, include: ['selectedOtherFields'] }),
  included('aggregate', 'Aggregate', aggregate, [
    ['aggregateIndividualFields', 'Individual Fields'],
    ['aggregateAllItemData', 'All Item Data (Into a Single List)'],
  ]),
  list(
    'fieldsToAggregate',
    'Fields To Aggregate',
    'fieldToAggregate',
    aggregatedField,
    showIf({ ...aggregate, aggregate: ['aggregateIndividualFields'] }),
  ),
  text('destinationFieldName', 'Put Output in Field', 'The field for the list', { default: 'data', ...showIf(wholeItems) }),
  included('include', 'Include', wholeItems, [
    ['allFields', 'All Fields'],
    ['specifiedFields', 'Specified Fields'],
    ['allFieldsExcept', 'All Fields Except'],
  ]),
  ...fieldNames('fieldsToExclude', 'Fields To Exclude', { ...wholeItems, include: ['allFieldsExcept'] }),
  ...fieldNames('fieldsToInclude', 'Fields To Include', { ...wholeItems, include: ['specifiedFields'] }),
  choice('compare', 'Compare', compareChoices, showIf(removeDuplicates)),
  ...fieldNames('fieldsToExclude', 'Fields To Exclude', { ...removeDuplicates, compare: ['allFieldsExcept'] }),
  ...fieldNames('fieldsToCompare', 'Fields To Compare', { ...removeDuplicates, compare: ['selectedFields'] }),
  choice('type', 'Type', sortTypes, showIf(sort)),
  list('sortFieldsUi', 'Fields To Sort By', 'sortField', sortField, showIf({ ...sort, type: ['simple'] })),
  sortCode(showIf({ ...sort, type: ['code'] })),
  atLeast(
    0,
    number('maxItems', 'Max Items', 1, 'Maximum number of items to keep', { acceptsAnyValue: true, ...showIf(limit) }),
  ),
  choice('keep', 'Keep', choices(['firstItems', 'First Items'], ['lastItems', 'Last Items']), showIf(limit)),
  list('fieldsToSummarize', 'Fields to Summarize', 'values', summarizedField, showIf(summarize)),
  text(
    'fieldsToSplitBy',
    'Fields to Split By',
    'Items with equal values in these fields are summarized together',
    showIf(summarize),
  ),
  options(
    [
      disableDotNotation,
      text('destinationFieldName', 'Destination Field Name', 'Output field for the elements'),
      toggle('includeBinary', 'Include Binary', 'Whether each element gets the item’s files'),
    ],
    showIf(splitOut),
  ),
  options(
    [
      disableDotNotation,
      toggle('mergeLists', 'Merge Lists', 'Whether values that are lists become one list'),
      toggle('includeBinaries', 'Include Binaries', 'Whether the item gets the files of all items'),
      toggle(
        'keepOnlyUnique',
        'Keep Only Unique Binaries',
        'Whether to keep only the first of several files with the same name, type, and size',
      ),
      toggle('keepMissing', 'Keep Missing And Null Values', 'Whether an item that lacks the field adds a null'),
    ],
    showIf(aggregate),
  ),
  options(
    [
      disableDotNotation,
      toggle('removeOtherFields', 'Remove Other Fields', 'Whether to omit the fields that are not compared'),
    ],
    showIf(removeDuplicates),
  ),
  options([disableDotNotation], showIf(sort)),
  collection('options', 'Options', summarizeOptions, showIf(summarize)),
];
