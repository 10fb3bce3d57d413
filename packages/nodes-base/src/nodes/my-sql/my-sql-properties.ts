import type { NodeProperty } from '@sluice/node-sdk';
import { choice, choices, number, options, text, toggle, when } from '../../shared/properties.ts';
import {
  batchings,
  deleteProperties,
  fieldProperties,
  largeNumbersOutput,
  outputColumns,
  queryProperty,
  queryReplacement,
  replaceEmptyStrings,
  selectProperties,
  skipOnConflict,
  sortProperty,
  tableProperty,
  whereProperties,
} from '../../shared/sql/sql-properties.ts';

const first = [1];
const second = [2, 2.1, 2.2, 2.3, 2.4, 2.5];

export const mySqlVersions = [...first, ...second];

const onTables = ['insert', 'update', 'upsert', 'select', 'deleteTable'];
const cut = { operation: ['deleteTable'], deleteCommand: ['delete'] };

const priority = choice(
  'priority',
  'Priority',
  choices(['LOW_PRIORITY', 'Low Priority', 'Waits until nobody reads'], ['HIGH_PRIORITY', 'High Priority']),
);

const firstProperties: readonly NodeProperty[] = [
  choice('operation', 'Operation', choices(['executeQuery', 'Execute Query'], ['insert', 'Insert'], ['update', 'Update']), {
    default: 'insert',
    ...when(first),
  }),
  text('updateKey', 'Update Key', 'The column that finds the row', {
    default: 'id',
    ...when(first, { operation: ['update'] }),
  }),
  text(
    'columns',
    'Columns',
    'Fields of the item that are written, separated by commas',
    when(first, { operation: ['insert', 'update'] }),
  ),
  options(
    [toggle('ignore', 'Ignore', 'Whether a row that is there already is left alone'), priority],
    when(first, { operation: ['insert'] }),
  ),
];

const secondProperties: readonly NodeProperty[] = [
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
    { default: 'insert', ...when(second) },
  ),
  ...deleteProperties({ '@version': second, operation: ['deleteTable'] }),
  ...selectProperties({ '@version': second, operation: ['select'] }),
  ...whereProperties({ '@version': second, operation: ['select'] }),
  ...whereProperties({ '@version': second, ...cut }),
  sortProperty({ '@version': second, operation: ['select'] }),
  ...fieldProperties({ '@version': second, operation: ['insert', 'update', 'upsert'] }, ['update', 'upsert']),
  options(
    [
      number('connectionTimeoutMillis', 'Connection Timeout', 30, 'Seconds for connecting'),
      number('connectionLimit', 'Connections Limit', 10, 'Without effect: a run has one connection'),
      choice('queryBatching', 'Query Batching', batchings),
      queryReplacement,
      outputColumns,
      largeNumbersOutput,
      toggle('decimalNumbers', 'Output Decimals as Numbers', 'Whether `DECIMAL` comes as number, rather than text'),
      priority,
      replaceEmptyStrings,
      toggle('selectDistinct', 'Select Distinct', 'Whether equal rows come once'),
      toggle('detailedOutput', 'Output Query Execution Details', 'Whether work without rows says what the server counted'),
      skipOnConflict,
    ],
    when(second),
  ),
];

export const mySqlProperties: readonly NodeProperty[] = [
  ...firstProperties,
  tableProperty({ operation: onTables }),
  queryProperty({ operation: ['executeQuery'] }),
  ...secondProperties,
];
