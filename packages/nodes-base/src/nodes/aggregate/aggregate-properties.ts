import type { NodeProperty } from '@sluice/node-sdk';
import { choice, choices, disableDotNotation, list, names, options, text, toggle, where } from '../../shared/properties.ts';

const wholeItems = { aggregate: ['aggregateAllItemData'] };
const notWholeItems = { displayOptions: { hide: { '/aggregate': ['aggregateAllItemData'] } } };

/** The entries of `fieldsToAggregate`. */
export const aggregatedField: readonly NodeProperty[] = [
  text('fieldToAggregate', 'Input Field Name', 'Field whose values are collected'),
  toggle('renameField', 'Rename Field', 'Whether the list has a different name than the field'),
  text('outputFieldName', 'Output Field Name', 'The name of the list', where({ renameField: [true] })),
];

export const aggregateProperties: readonly NodeProperty[] = [
  choice(
    'aggregate',
    'Aggregate',
    choices(
      ['aggregateIndividualFields', 'Individual Fields', 'A list for each field'],
      ['aggregateAllItemData', 'All Item Data (Into a Single List)', 'One list of the items'],
    ),
  ),
  list(
    'fieldsToAggregate',
    'Fields To Aggregate',
    'fieldToAggregate',
    aggregatedField,
    where({ aggregate: ['aggregateIndividualFields'] }),
  ),
  text('destinationFieldName', 'Put Output in Field', 'The field for the list', { default: 'data', ...where(wholeItems) }),
  choice(
    'include',
    'Include',
    choices(['allFields', 'All Fields'], ['specifiedFields', 'Specified Fields'], ['allFieldsExcept', 'All Fields Except']),
    where(wholeItems),
  ),
  names(
    'fieldsToExclude',
    'Fields To Exclude',
    'Names separated by commas',
    where({ ...wholeItems, include: ['allFieldsExcept'] }),
  ),
  names(
    'fieldsToInclude',
    'Fields To Include',
    'Names separated by commas',
    where({ ...wholeItems, include: ['specifiedFields'] }),
  ),
  options([
    { ...disableDotNotation, ...notWholeItems },
    toggle(
      'mergeLists',
      'Merge Lists',
      'Whether to merge values that are lists into one list instead of a list of lists',
      notWholeItems,
    ),
    toggle('includeBinaries', 'Include Binaries', 'Whether the item gets the files of all items'),
    toggle(
      'keepOnlyUnique',
      'Keep Only Unique Binaries',
      'Whether to keep only the first of several files with the same name, type, and size',
      where({ includeBinaries: [true] }),
    ),
    toggle('keepMissing', 'Keep Missing And Null Values', 'Whether an item that lacks the field adds a null', notWholeItems),
  ]),
];
