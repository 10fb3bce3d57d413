import type { NodeProperty } from '@sluice/node-sdk';
import { atLeast, choice, choices, collection, names, number, options, text, toggle, when } from '../../shared/properties.ts';
import {
  batchings,
  deleteProperties,
  fieldProperties,
  firstTableProperties,
  largeNumbersOutput,
  mapperProperty,
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
const withFields = [2, 2.1];
const withMapper = [2.2, 2.3, 2.4, 2.5, 2.6, 2.7];
const second = [...withFields, ...withMapper];

export const postgresVersions = [...first, ...second];

const onTables = ['insert', 'update', 'upsert', 'select', 'deleteTable'];
const writing = ['insert', 'update', 'upsert'];
const updating = ['update', 'upsert'];
const cut = { operation: ['deleteTable'], deleteCommand: ['delete'] };

const firstProperties: readonly NodeProperty[] = [
  ...firstTableProperties(first),
  names('returnFields', 'Return Fields', 'Columns to return, separated by commas', {
    default: '*',
    ...when(first, { operation: ['insert', 'update'] }),
  }),
  collection(
    'additionalFields',
    'Additional Fields',
    [
      choice('mode', 'Mode', batchings),
      choice(
        'outputLargeFormatNumbersAs',
        'Output Large-Format Numbers As',
        choices(['string', 'String'], ['numbers', 'Numbers']),
      ),
      names('queryParams', 'Query Parameters', 'Fields of the item with the values for `$1`, `$2`, …, separated by commas'),
    ],
    when(first),
  ),
];

const secondProperties: readonly NodeProperty[] = [
  operationProperty(second),
  ...deleteProperties({ '@version': second, operation: ['deleteTable'] }),
  toggle('restartSequences', 'Restart Sequences', 'Whether to restart sequences', {
    ...when(second, { operation: ['deleteTable'], deleteCommand: ['truncate'] }),
  }),
  ...selectProperties({ '@version': second, operation: ['select'] }),
  ...whereProperties({ '@version': second, operation: ['select'] }),
  ...whereProperties({ '@version': second, ...cut }),
  sortProperty({ '@version': second, operation: ['select'] }),
  ...fieldProperties({ '@version': withFields, operation: writing }, updating),
  mapperProperty({ '@version': withMapper, operation: writing }),
  options(
    [
      toggle('cascade', 'Cascade', 'Whether to drop dependent objects too: views, rows of other tables'),
      atLeast(0, number('connectionTimeout', 'Connection Timeout', 30, 'Connection timeout in seconds')),
      number(
        'delayClosingIdleConnection',
        'Delay Closing Idle Connection',
        0,
        'Has no effect: the connection ends with the run',
      ),
      choice('queryBatching', 'Query Batching', batchings),
      queryReplacement,
      toggle(
        'treatQueryParametersInSingleQuotesAsText',
        'Treat Query Parameters in Single Quotes as Text',
        "Whether `'$1'` is ordinary text instead of a value",
      ),
      outputColumns,
      largeNumbersOutput,
      skipOnConflict,
      replaceEmptyStrings,
    ],
    when(second),
  ),
];

export const postgresProperties: readonly NodeProperty[] = [
  ...firstProperties,
  text('schema', 'Schema', 'Name, or a resource locator', {
    default: 'public',
    ...when(postgresVersions, { operation: onTables }),
  }),
  tableProperty({ operation: onTables }),
  queryProperty({ operation: ['executeQuery'] }),
  ...secondProperties,
];
