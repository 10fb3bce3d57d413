import type { NodeProperty } from '@sluice/node-sdk';
import { atLeast, choice, choices, number, options, toggle, when } from '../../shared/properties.ts';
import {
  batchings,
  deleteProperties,
  fieldProperties,
  firstTableProperties,
  largeNumbersOutput,
  operationProperty,
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
  choices(['LOW_PRIORITY', 'Low Priority', 'Waits until no client is reading'], ['HIGH_PRIORITY', 'High Priority']),
);

const firstProperties: readonly NodeProperty[] = [
  ...firstTableProperties(first),
  options(
    [toggle('ignore', 'Ignore', 'Whether to keep an existing row unchanged'), priority],
    when(first, { operation: ['insert'] }),
  ),
];

const secondProperties: readonly NodeProperty[] = [
  operationProperty(second),
  ...deleteProperties({ '@version': second, operation: ['deleteTable'] }),
  ...selectProperties({ '@version': second, operation: ['select'] }),
  ...whereProperties({ '@version': second, operation: ['select'] }),
  ...whereProperties({ '@version': second, ...cut }),
  sortProperty({ '@version': second, operation: ['select'] }),
  ...fieldProperties({ '@version': second, operation: ['insert', 'update', 'upsert'] }, ['update', 'upsert']),
  options(
    [
      atLeast(0, number('connectionTimeoutMillis', 'Connection Timeout', 30, 'Connection timeout in seconds')),
      number('connectionLimit', 'Connections Limit', 10, 'Has no effect: a run has one connection'),
      choice('queryBatching', 'Query Batching', batchings),
      queryReplacement,
      outputColumns,
      largeNumbersOutput,
      toggle('decimalNumbers', 'Output Decimals as Numbers', 'Whether to return `DECIMAL` as a number instead of text'),
      priority,
      replaceEmptyStrings,
      toggle('selectDistinct', 'Select Distinct', 'Whether to return equal rows once'),
      toggle('detailedOutput', 'Output Query Execution Details', 'Whether statements without rows return the server’s counts'),
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
