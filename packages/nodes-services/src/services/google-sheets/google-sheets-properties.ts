import type { NodeProperty } from '@sluice/node-sdk';
import {
  atLeast,
  choice,
  choices,
  collection,
  list,
  number,
  options,
  text,
  toggle,
  when,
  where,
} from '@sluice/nodes-base/node-tools';
import { fieldVersions, mappedVersions } from './row-record.ts';

export const documentProperty = text('documentId', 'Document', 'The document: from the list, by ID, or by URL', {
  required: true,
  typeOptions: { searchListMethod: 'spreadSheetsSearch' },
});

export const sheetProperty = text('sheetName', 'Sheet', 'The sheet: from the list, by ID, by name, or by URL', {
  required: true,
  typeOptions: { searchListMethod: 'sheetsSearch' },
});

export const target: readonly NodeProperty[] = [documentProperty, sheetProperty];

const oneGroup = (name: string, displayName: string, values: readonly NodeProperty[]): NodeProperty => ({
  displayName,
  name,
  type: 'fixedCollection',
  default: {},
  options: [{ name: 'values', displayName, values }],
});

const headerRow = atLeast(1, number('headerRow', 'Header Row', 1, 'Row with the names of the columns'));

export const readLocation = oneGroup('dataLocationOnSheet', 'Data Location on Sheet', [
  choice(
    'rangeDefinition',
    'Range Definition',
    choices(
      ['detectAutomatically', 'Detect Automatically'],
      ['specifyRangeA1', 'Specify Range (A1 Notation)'],
      ['specifyRange', 'Specify Range (Rows)'],
    ),
  ),
  choice(
    'readRowsUntil',
    'Read Rows Until',
    choices(['lastRowInSheet', 'Last Row in Sheet'], ['firstEmptyRow', 'First Empty Row']),
    where({ rangeDefinition: ['detectAutomatically'] }),
  ),
  { ...headerRow, ...where({ rangeDefinition: ['specifyRange'] }) },
  atLeast(1, number('firstDataRow', 'First Data Row', 2, 'First row of data', where({ rangeDefinition: ['specifyRange'] }))),
  text(
    'range',
    'Range',
    'A1 notation, such as `A:F`; its first row has the names',
    where({ rangeDefinition: ['specifyRangeA1'] }),
  ),
]);

const writeLocation = oneGroup('locationDefine', 'Data Location on Sheet', [
  headerRow,
  atLeast(1, number('firstDataRow', 'First Data Row', 2, 'First row of data')),
]);

export const outputFormatting = oneGroup('outputFormatting', 'Output Formatting', [
  choice(
    'general',
    'General Formatting',
    choices(['UNFORMATTED_VALUE', 'Values (Unformatted)'], ['FORMATTED_VALUE', 'Values (Formatted)'], ['FORMULA', 'Formulas']),
  ),
  choice('date', 'Date Formatting', choices(['FORMATTED_STRING', 'Formatted Text'], ['SERIAL_NUMBER', 'Serial Number'])),
]);

/** Options of the operations that write rows. */
export const writeOptions = options([
  choice(
    'cellFormat',
    'Cell Format',
    choices(
      ['USER_ENTERED', 'Let Google Sheets Format', 'As if a user had typed the values'],
      ['RAW', 'Let the Service Format', 'Values stay as they are'],
    ),
    { description: 'Whether Google Sheets interprets text; default before version 4.1: `RAW`' },
  ),
  writeLocation,
  choice(
    'handlingExtraData',
    'Handling Extra Fields',
    choices(['insertInNewColumn', 'Insert in New Column'], ['ignoreIt', 'Ignore Them'], ['error', 'Error']),
    { description: 'What happens to fields without a column' },
  ),
  toggle('useAppend', 'Minimize API Calls', 'Has no effect: rows are always added by one request'),
]);

const columns: NodeProperty = {
  displayName: 'Columns',
  name: 'columns',
  type: 'json',
  default: { mappingMode: 'defineBelow', value: {} },
  description:
    'A resource mapper: `mappingMode` is `defineBelow` (columns from `value`) or `autoMapInputData` (columns from the item); `matchingColumns` find existing rows',
  ...when(mappedVersions),
};

const dataMode = choice(
  'dataMode',
  'Data Mode',
  choices(
    ['autoMapInputData', 'Auto-Map Input Data to Columns'],
    ['defineBelow', 'Map Each Column Below'],
    ['nothing', 'Nothing'],
  ),
  { default: 'defineBelow', ...when(fieldVersions) },
);
const below = when(fieldVersions, { dataMode: ['defineBelow'] });
const value = text('fieldValue', 'Value', 'Value of the cell');

export const appendColumns: readonly NodeProperty[] = [
  columns,
  dataMode,
  list('fieldsUi', 'Fields to Send', 'fieldValues', [text('fieldId', 'Column', 'Name of the column'), value], below),
];

export const matchColumns: readonly NodeProperty[] = [
  columns,
  dataMode,
  text('columnToMatchOn', 'Column to Match On', 'Name of the column that finds the row', when(fieldVersions)),
  text('valueToMatchOn', 'Value of Column to Match On', 'Value that the row has in this column', below),
  list(
    'fieldsUi',
    'Values to Send',
    'values',
    [
      text('column', 'Column', 'Name of the column, or `newColumn`'),
      text('columnName', 'Column Name', 'Name of the new column', where({ column: ['newColumn'] })),
      value,
    ],
    below,
  ),
];

const combineFilters = (fallback: 'AND' | 'OR', versions: readonly number[]): NodeProperty =>
  choice(
    'combineFilters',
    'Combine Filters',
    choices(['AND', 'AND', 'All filters match'], ['OR', 'OR', 'One filter matches']),
    {
      default: fallback,
      ...when(versions),
    },
  );

export const filters: readonly NodeProperty[] = [
  list('filtersUI', 'Filters', 'values', [
    text('lookupColumn', 'Column', 'Name of the column'),
    text('lookupValue', 'Value', 'Value that the row has in this column'),
  ]),
  combineFilters('OR', [3, 4, 4.1, 4.2]),
  combineFilters('AND', [4.3, 4.4, 4.5, 4.6, 4.7]),
];

export const readOptions: readonly NodeProperty[] = [
  options([
    readLocation,
    outputFormatting,
    toggle(
      'returnFirstMatch',
      'Return Only First Matching Row',
      'Whether to return the first match only',
      when([4.5, 4.6, 4.7]),
    ),
    choice(
      'returnAllMatches',
      'When Filter Has Multiple Matches',
      choices(['returnFirstMatch', 'Return First Match'], ['returnAllMatches', 'Return All Matches']),
      when([3, 4, 4.1, 4.2, 4.3, 4.4]),
    ),
  ]),
];

export const newSheetOptions = options([
  toggle('hidden', 'Hidden', 'Whether the sheet is hidden'),
  number('index', 'Index', 0, 'Position among the sheets, from 0'),
  toggle('rightToLeft', 'Right to Left', 'Whether the sheet is laid out from right to left'),
  number('sheetId', 'Sheet ID', 0, 'ID of the sheet; default: Google chooses one'),
  text('tabColor', 'Tab Color', 'Color of the tab, such as `0aa55c`'),
]);

export const documentOptions = options([
  text('locale', 'Locale', 'Such as `en` or `de_CH`'),
  choice(
    'autoRecalc',
    'Recalculation Interval',
    choices(['', 'Default'], ['ON_CHANGE', 'On Change'], ['MINUTE', 'Every Minute'], ['HOUR', 'Every Hour']),
  ),
]);

export const newSheets = list('sheetsUi', 'Sheets', 'sheetValues', [
  text('title', 'Title', 'Title of the sheet'),
  collection('propertiesUi', 'Properties', [toggle('hidden', 'Hidden', 'Whether the sheet is hidden')]),
]);
