import type { JsonValue, NodeProperty } from '@sluice/node-sdk';
import { atLeast, choice, choices, list, names, number, text, toggle, when } from '../properties.ts';

/* Parameters that SQL database nodes share. `show` limits each to versions and operations. */

type Show = Record<string, readonly JsonValue[]>;

const showIf = (show: Show) => ({ displayOptions: { show } });

export const batchings = choices(
  ['single', 'Single Query', 'All items or none'],
  ['independently', 'Independently', 'Each item by itself: a failure does not affect other items'],
  ['transaction', 'Transaction', 'All items or none, in a transaction even for a single item'],
);

/** Properties of version 1: the operation and the columns to write. */
export const firstTableProperties = (versions: readonly number[]): NodeProperty[] => [
  choice('operation', 'Operation', choices(['executeQuery', 'Execute Query'], ['insert', 'Insert'], ['update', 'Update']), {
    default: 'insert',
    ...when(versions),
  }),
  text('updateKey', 'Update Key', 'Column that identifies the row', {
    default: 'id',
    ...when(versions, { operation: ['update'] }),
  }),
  names(
    'columns',
    'Columns',
    'Fields of the item to write, separated by commas',
    when(versions, { operation: ['insert', 'update'] }),
  ),
];

export const operationProperty = (versions: readonly number[]): NodeProperty =>
  choice(
    'operation',
    'Operation',
    choices(
      ['deleteTable', 'Delete Table or Rows'],
      ['executeQuery', 'Execute Query'],
      ['insert', 'Insert'],
      ['upsert', 'Insert or Update'],
      ['select', 'Select Rows'],
      ['update', 'Update'],
    ),
    { default: 'insert', ...when(versions) },
  );

export const queryProperty = (show: Show): NodeProperty =>
  text(
    'query',
    'Query',
    'SQL. `$1`, `$2`, … represent the values of "Query Parameters". The result of a `{{ }}` becomes part of the SQL unchanged: bind external values as query parameters, otherwise their sender can change the query',
    { isTemplate: true, required: true, typeOptions: { editor: 'sqlEditor', rows: 6 }, ...showIf(show) },
  );

export const tableProperty = (show: Show): NodeProperty =>
  text('table', 'Table', 'Name, or a resource locator', { required: true, ...showIf(show) });

export const deleteProperties = (show: Show): NodeProperty[] => [
  choice(
    'deleteCommand',
    'Command',
    choices(
      ['truncate', 'Truncate', 'Removes all rows'],
      ['delete', 'Delete', 'Removes the rows that meet the conditions; without conditions, all rows'],
      ['drop', 'Drop', 'Removes the table'],
    ),
    showIf(show),
  ),
];

export const selectProperties = (show: Show): NodeProperty[] => [
  toggle('returnAll', 'Return All', 'Whether to return all rows instead of the first ones', showIf(show)),
  atLeast(0, number('limit', 'Limit', 50, 'Maximum number of rows to return', showIf({ ...show, returnAll: [false] }))),
];

export const whereProperties = (show: Show): NodeProperty[] => [
  list(
    'where',
    'Conditions',
    'values',
    [
      text('column', 'Column', 'Its name'),
      choice(
        'condition',
        'Operator',
        choices(
          ['equal', 'Equal'],
          ['!=', 'Not Equal'],
          ['LIKE', 'Like'],
          ['>', 'Greater Than'],
          ['<', 'Less Than'],
          ['>=', 'Greater Than or Equal'],
          ['<=', 'Less Than or Equal'],
          ['IS NULL', 'Is Null'],
          ['IS NOT NULL', 'Is Not Null'],
        ),
      ),
      text('value', 'Value', 'Value to compare the column with', {
        displayOptions: { hide: { condition: ['IS NULL', 'IS NOT NULL'] } },
      }),
    ],
    showIf(show),
  ),
  choice('combineConditions', 'Combine Conditions', choices(['AND', 'All'], ['OR', 'Any']), showIf(show)),
];

export const sortProperty = (show: Show): NodeProperty =>
  list(
    'sort',
    'Sort',
    'values',
    [
      text('column', 'Column', 'Its name'),
      choice('direction', 'Direction', choices(['ASC', 'Ascending'], ['DESC', 'Descending'])),
    ],
    showIf(show),
  );

/** For versions without a resource mapper. */
export const fieldProperties = (show: Show, updates: readonly JsonValue[]): NodeProperty[] => [
  choice(
    'dataMode',
    'Data Mode',
    choices(['autoMapInputData', 'Auto-Map Input Data', 'Uses each field as a column'], ['defineBelow', 'Map Each Column']),
    showIf(show),
  ),
  text('columnToMatchOn', 'Column to Match On', 'Column that identifies the row', showIf({ ...show, operation: updates })),
  text(
    'valueToMatchOn',
    'Value of Column to Match On',
    'Its value',
    showIf({ ...show, operation: updates, dataMode: ['defineBelow'] }),
  ),
  list(
    'valuesToSend',
    'Values to Send',
    'values',
    [text('column', 'Column', 'Its name'), text('value', 'Value', 'Values to write')],
    showIf({ ...show, dataMode: ['defineBelow'] }),
  ),
];

export const mapperProperty = (show: Show): NodeProperty => ({
  displayName: 'Columns',
  name: 'columns',
  type: 'json',
  default: { mappingMode: 'defineBelow', value: {}, matchingColumns: [] },
  description:
    'A resource mapper: `mappingMode` is `defineBelow` (columns from `value`) or `autoMapInputData` (columns from the item); `matchingColumns` identify the row',
  ...showIf(show),
});

export const queryReplacement: NodeProperty = names(
  'queryReplacement',
  'Query Parameters',
  'Values for `$1`, `$2`, …, separated by commas, or an expression that yields a list. `$1:name` quotes a name, `$1:csv` expands a list, `$1:json` writes JSON',
  { isExpressionList: true },
);

export const outputColumns = names('outputColumns', 'Output Columns', 'Columns to return, separated by commas; empty: all');

export const largeNumbersOutput = choice(
  'largeNumbersOutput',
  'Output Large-Format Numbers As',
  choices(['text', 'Text', 'Keeps all digits'], ['numbers', 'Numbers', 'May lose digits beyond the sixteenth']),
);

export const replaceEmptyStrings = toggle(
  'replaceEmptyStrings',
  'Replace Empty Strings with NULL',
  'Whether to write empty strings as null',
);

export const skipOnConflict = toggle('skipOnConflict', 'Skip on Conflict', 'Whether to keep an existing row unchanged');
