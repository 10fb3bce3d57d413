import type { NodeProperty } from '@sluice/node-sdk';
import { atLeast, choice, choices, list, number, options, text, toggle, where } from '../../shared/properties.ts';

const onRows = (operations: readonly string[]) => where({ resource: ['row'], operation: operations });
const onTables = (operations: readonly string[]) => where({ resource: ['table'], operation: operations });

const filtering = ['get', 'update', 'upsert', 'deleteRows', 'rowExists', 'rowNotExists'];
const dryRun = toggle('dryRun', 'Dry Run', 'Whether to return the rows before and after the change without changing them');

const table = (more: Partial<NodeProperty>) =>
  text(
    'dataTableId',
    'Data Table',
    'ID of a data table of the workflow’s project, or a resource locator with its name or ID',
    more,
  );

export const dataTableProperties: readonly NodeProperty[] = [
  choice('resource', 'Resource', choices(['row', 'Row'], ['table', 'Table'])),
  choice(
    'operation',
    'Operation',
    choices(
      ['deleteRows', 'Delete', 'Deletes the rows that meet the conditions'],
      ['get', 'Get', 'Returns rows'],
      ['rowExists', 'If Row Exists', 'Passes the items for which a row exists'],
      ['rowNotExists', 'If Row Does Not Exist', 'Passes the items for which no row exists'],
      ['insert', 'Insert', 'Inserts a row for each item'],
      ['update', 'Update', 'Changes the rows that meet the conditions'],
      ['upsert', 'Upsert', 'Changes the rows that meet the conditions, or inserts a row'],
    ),
    { default: 'insert', ...where({ resource: ['row'] }) },
  ),
  choice(
    'operation',
    'Operation',
    choices(['create', 'Create'], ['delete', 'Delete'], ['list', 'List'], ['update', 'Update', 'Renames the table']),
    { default: 'list', ...where({ resource: ['table'] }) },
  ),
  table(where({ resource: ['row'] })),
  table(onTables(['update', 'delete'])),
  choice(
    'matchType',
    'Must Match',
    choices(['anyCondition', 'Any Condition'], ['allConditions', 'All Conditions']),
    onRows(filtering),
  ),
  list(
    'filters',
    'Conditions',
    'conditions',
    [
      text('keyName', 'Column', 'Its name', { default: 'id' }),
      choice(
        'condition',
        'Condition',
        choices(
          ['eq', 'Equals'],
          ['neq', 'Not Equals'],
          ['like', 'Contains (Case-Sensitive)', '`%` matches any string, `_` any single character'],
          ['ilike', 'Contains (Case-Insensitive)', '`%` matches any string, `_` any single character'],
          ['gt', 'Greater Than'],
          ['gte', 'Greater Than or Equal'],
          ['lt', 'Less Than'],
          ['lte', 'Less Than or Equal'],
          ['isEmpty', 'Is Empty'],
          ['isNotEmpty', 'Is Not Empty'],
          ['isTrue', 'Is True'],
          ['isFalse', 'Is False'],
        ),
      ),
      text('keyValue', 'Value', 'Value to compare the column with', {
        displayOptions: { hide: { condition: ['isEmpty', 'isNotEmpty', 'isTrue', 'isFalse'] } },
      }),
    ],
    onRows(filtering),
  ),
  toggle('returnAll', 'Return All', 'Whether to return all rows instead of the first ones', onRows(['get'])),
  atLeast(
    0,
    number(
      'limit',
      'Limit',
      50,
      'Maximum number of rows to return',
      where({ resource: ['row'], operation: ['get'], returnAll: [false] }),
    ),
  ),
  {
    displayName: 'Columns',
    name: 'columns',
    type: 'json',
    default: { mappingMode: 'defineBelow', value: {} },
    description:
      'A resource mapper: `mappingMode` is `defineBelow` (columns from `value`) or `autoMapInputData` (columns from the item)',
    ...onRows(['insert', 'update', 'upsert']),
  },
  options(
    [toggle('optimizeBulk', 'Optimize Bulk', 'Whether to insert all rows at once and return only their number')],
    onRows(['insert']),
  ),
  options([dryRun], onRows(['update', 'upsert', 'deleteRows'])),
  text('tableName', 'Name', 'Name of the new table', onTables(['create'])),
  list(
    'columns',
    'Columns',
    'column',
    [
      text('name', 'Name', 'A letter, then letters, digits, and `_`'),
      choice('type', 'Type', choices(['string', 'String'], ['number', 'Number'], ['boolean', 'Boolean'], ['date', 'Date'])),
    ],
    onTables(['create']),
  ),
  options(
    [toggle('createIfNotExists', 'Reuse Existing Table', 'Whether to return the table if one with this name exists')],
    onTables(['create']),
  ),
  options([text('filterName', 'Filter by Name', 'Part of the name')], onTables(['list'])),
  text('newName', 'New Name', 'New name of the table', onTables(['update'])),
];
