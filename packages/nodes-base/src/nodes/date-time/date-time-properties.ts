import type { NodeProperty, NodePropertyOption } from '@sluice/node-sdk';
import { choice, choices, number, options, text, toggle, when } from '../../shared/properties.ts';
import { timeUnits } from './time-units.ts';

const first = [1];
const second = [2];

const capital = (name: string) => name.charAt(0).toUpperCase() + name.slice(1);
const units = (names: readonly string[]): NodePropertyOption[] => names.map((value) => ({ value, name: capital(value) }));
const dateUnits = units(['year', 'month', 'week', 'day', 'hour', 'minute', 'second']);

const date = (name: string, displayName: string, description: string, visibility: Partial<NodeProperty>): NodeProperty =>
  text(name, displayName, description, { required: true, keepsTimeZone: true, ...visibility });

const firstProperties: readonly NodeProperty[] = [
  choice('action', 'Action', choices(['calculate', 'Calculate a Date'], ['format', 'Format a Date']), {
    default: 'format',
    ...when(first),
  }),
  date('value', 'Value', 'The date', when(first)),
  text('dataPropertyName', 'Property Name', 'The field for the result; a dot is part of its name', {
    default: 'data',
    ...when(first),
  }),
  toggle('custom', 'Custom Format', 'Whether to use a custom format', when(first, { action: ['format'] })),
  text('toFormat', 'To Format', 'Format in moment tokens: `YYYY-MM-DD HH:mm`', {
    default: 'MM/DD/YYYY',
    ...when(first, { action: ['format'] }),
  }),
  choice('operation', 'Operation', choices(['add', 'Add'], ['subtract', 'Subtract']), when(first, { action: ['calculate'] })),
  number('duration', 'Duration', 0, 'Amount by which the date is moved', when(first, { action: ['calculate'] })),
  choice('timeUnit', 'Time Unit', units([...timeUnits, 'milliseconds']), {
    default: 'days',
    ...when(first, { action: ['calculate'] }),
  }),
  options(
    [
      text('fromFormat', 'From Format', 'Format of the value in moment tokens; empty: ISO 8601 and other common formats'),
      text('fromTimezone', 'From Timezone', 'Time zone of a date without an offset', { default: 'UTC' }),
      text('toTimezone', 'To Timezone', 'Time zone of the result', { default: 'UTC' }),
    ],
    when(first),
  ),
];

const output = (name: string, operations: readonly string[]): NodeProperty =>
  text('outputFieldName', 'Output Field Name', 'The field for the result', {
    default: name,
    ...when(second, { operation: operations }),
  });

const moving = ['addToDate', 'subtractFromDate'];

const secondProperties: readonly NodeProperty[] = [
  choice(
    'operation',
    'Operation',
    choices(
      ['addToDate', 'Add to a Date'],
      ['extractDate', 'Extract Part of a Date'],
      ['formatDate', 'Format a Date'],
      ['getCurrentDate', 'Get Current Date'],
      ['getTimeBetweenDates', 'Get Time Between Dates'],
      ['roundDate', 'Round a Date'],
      ['subtractFromDate', 'Subtract From a Date'],
    ),
    { default: 'getCurrentDate', ...when(second) },
  ),
  toggle('includeTime', 'Include Current Time', 'Whether to include the time instead of midnight', {
    default: true,
    ...when(second, { operation: ['getCurrentDate'] }),
  }),
  date('magnitude', 'Date', 'The date', when(second, { operation: moving })),
  choice('timeUnit', 'Time Unit', units([...timeUnits, 'milliseconds']), {
    default: 'days',
    ...when(second, { operation: moving }),
  }),
  number('duration', 'Duration', 0, 'Amount by which the date is moved', when(second, { operation: moving })),
  date('date', 'Date', 'The date', when(second, { operation: ['formatDate', 'roundDate', 'extractDate'] })),
  choice(
    'format',
    'Format',
    choices(
      ['custom', 'Custom Format'],
      ['MM/dd/yyyy', 'MM/DD/YYYY'],
      ['yyyy/MM/dd', 'YYYY/MM/DD'],
      ['MMMM dd yyyy', 'MMMM DD YYYY'],
      ['MM-dd-yyyy', 'MM-DD-YYYY'],
      ['yyyy-MM-dd', 'YYYY-MM-DD'],
      ['X', 'Unix Timestamp'],
      ['x', 'Unix Ms Timestamp'],
    ),
    { default: 'MM/dd/yyyy', ...when(second, { operation: ['formatDate'] }) },
  ),
  text(
    'customFormat',
    'Custom Format',
    'Format in luxon tokens: `yyyy-MM-dd HH:mm`',
    when(second, { operation: ['formatDate'], format: ['custom'] }),
  ),
  choice(
    'mode',
    'Mode',
    choices(['roundDown', 'Round Down'], ['roundUp', 'Round Up']),
    when(second, { operation: ['roundDate'] }),
  ),
  choice('toNearest', 'To Nearest', dateUnits, {
    default: 'month',
    ...when(second, { operation: ['roundDate'], mode: ['roundDown'] }),
  }),
  choice('to', 'To', dateUnits, {
    default: 'month',
    description: 'The unit whose next start is the result',
    ...when(second, { operation: ['roundDate'], mode: ['roundUp'] }),
  }),
  date('startDate', 'Start Date', 'The earlier date', when(second, { operation: ['getTimeBetweenDates'] })),
  date('endDate', 'End Date', 'The later date', when(second, { operation: ['getTimeBetweenDates'] })),
  {
    displayName: 'Units',
    name: 'units',
    type: 'multiOptions',
    default: ['day'],
    options: [...dateUnits, { value: 'millisecond', name: 'Millisecond' }],
    description: 'Units of the difference',
    ...when(second, { operation: ['getTimeBetweenDates'] }),
  },
  choice('part', 'Part', dateUnits, { default: 'month', ...when(second, { operation: ['extractDate'] }) }),
  output('currentDate', ['getCurrentDate']),
  output('newDate', moving),
  output('formattedDate', ['formatDate']),
  output('roundedDate', ['roundDate']),
  output('timeDifference', ['getTimeBetweenDates']),
  output('datePart', ['extractDate']),
  options(
    [
      toggle('includeInputFields', 'Include Input Fields', 'Whether to keep the item’s fields'),
      text('timezone', 'Timezone', 'Time zone, if it differs from the workflow’s'),
    ],
    when(second, { operation: ['getCurrentDate'] }),
  ),
  options(
    [
      toggle('includeInputFields', 'Include Input Fields', 'Whether to keep the item’s fields'),
      text('fromFormat', 'From Date Format', 'Format of the date in luxon tokens; empty: ISO 8601 and other common formats'),
      toggle(
        'timezone',
        'Use Workflow Timezone',
        'Whether to convert the date to the workflow’s time zone instead of keeping its offset',
      ),
      toggle('isoString', 'Output as ISO String', 'Whether to return the difference as an ISO 8601 duration'),
    ],
    { displayOptions: { show: { '@version': second }, hide: { operation: ['getCurrentDate'] } } },
  ),
];

export const dateTimeProperties: readonly NodeProperty[] = [...firstProperties, ...secondProperties];
