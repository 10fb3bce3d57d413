import type { JsonObject, JsonValue, ScheduleRule } from '@sluice/domain';
import type { NodeProperty, NodePropertyOption } from '../description.ts';
import { NodeOperationError } from '../errors/node-error.ts';

const timed = ['everyDay', 'everyWeek', 'everyMonth'];

const modes = [
  ['everyMinute', 'Every Minute'],
  ['everyHour', 'Every Hour'],
  ['everyDay', 'Every Day'],
  ['everyWeek', 'Every Week'],
  ['everyMonth', 'Every Month'],
  ['everyX', 'Every X'],
  ['custom', 'Custom'],
] as const;

const weekdays = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'] as const;

/**
 * A parameter with a list of times, `{ item: [{ mode, … }] }`; `triggerTimeRule` reads an entry.
 */
export function triggerTimesProperty({
  name,
  displayName,
  ...more
}: Pick<NodeProperty, 'name' | 'displayName'> & Partial<NodeProperty>): NodeProperty {
  const values: NodeProperty[] = [
    { displayName: 'Mode', name: 'mode', type: 'options', default: 'everyDay', options: modes.map(toOption) },
    numberField('hour', 'Hour', 14, '0 to 23', timed, { minValue: 0, maxValue: 23 }),
    numberField('minute', 'Minute', 0, '0 to 59', ['everyHour', ...timed], { minValue: 0, maxValue: 59 }),
    numberField('dayOfMonth', 'Day of Month', 1, '1 to 31; a shorter month means its last day', ['everyMonth'], {
      minValue: 1,
      maxValue: 31,
    }),
    {
      displayName: 'Weekday',
      name: 'weekday',
      type: 'options',
      default: '1',
      options: [1, 2, 3, 4, 5, 6, 0].map((day) => toOption([String(day), weekdays[day] ?? ''])),
      displayOptions: { show: { mode: ['everyWeek'] } },
    },
    {
      displayName: 'Cron Expression',
      name: 'cronExpression',
      type: 'string',
      default: '* * * * * *',
      description: 'Five fields, or six with seconds first',
      displayOptions: { show: { mode: ['custom'] } },
    },
    numberField('value', 'Value', 2, 'How many units lie between two ticks', ['everyX'], { minValue: 1 }),
    {
      displayName: 'Unit',
      name: 'unit',
      type: 'options',
      default: 'hours',
      options: [toOption(['minutes', 'Minutes']), toOption(['hours', 'Hours'])],
      displayOptions: { show: { mode: ['everyX'] } },
    },
  ];
  return {
    displayName,
    name,
    type: 'fixedCollection',
    default: {},
    typeOptions: { multipleValues: true },
    options: [{ name: 'item', displayName, values }],
    ...more,
  };
}

function toOption([value, name]: readonly [value: string, name: string]): NodePropertyOption {
  return { value, name };
}

function numberField(
  name: string,
  displayName: string,
  fallback: number,
  description: string,
  shownIn: readonly string[],
  typeOptions: { minValue: number; maxValue?: number },
): NodeProperty {
  const displayOptions = { show: { mode: shownIn } };
  return { displayName, name, type: 'number', default: fallback, description, displayOptions, typeOptions };
}

/** The rule of an entry. Throws `NodeOperationError` for an invalid entry. */
export function triggerTimeRule(entry: JsonObject): ScheduleRule {
  const mode = entry['mode'] ?? 'everyDay';
  switch (mode) {
    case 'everyMinute':
      return { every: 'minutes', count: 1 };
    case 'everyHour':
      return { every: 'hours', count: 1, minute: minuteOf(entry) };
    case 'everyDay':
      return { every: 'days', count: 1, ...timeOf(entry) };
    case 'everyWeek':
      return { every: 'weeks', count: 1, weekdays: [wholeNumber(entry, 'weekday', [0, 7], 1) % 7], ...timeOf(entry) };
    case 'everyMonth':
      return { every: 'months', count: 1, day: wholeNumber(entry, 'dayOfMonth', [1, 31], 1), ...timeOf(entry) };
    case 'everyX':
      return everyX(wholeNumber(entry, 'value', [1, maxCount], 2), entry['unit'] === 'minutes');
    case 'custom':
      return cronOf(entry['cronExpression'] ?? '* * * * * *');
    default:
      throw new NodeOperationError(`"mode" must be a known mode, but is ${shown(mode)}`);
  }
}

const maxCount = 1_000_000;

function everyX(count: number, minutes: boolean): ScheduleRule {
  return minutes ? { every: 'minutes', count } : { every: 'hours', count, minute: 0 };
}

function cronOf(value: JsonValue): ScheduleRule {
  if (typeof value === 'string' && value.trim() !== '') return { cron: value.trim() };
  throw new NodeOperationError(`"cronExpression" must be a cron expression, but is ${shown(value)}`);
}

function timeOf(entry: JsonObject): { hour: number; minute: number } {
  return { hour: wholeNumber(entry, 'hour', [0, 23], 14), minute: minuteOf(entry) };
}

function minuteOf(entry: JsonObject): number {
  return wholeNumber(entry, 'minute', [0, 59], 0);
}

/** A whole number within a range; numeric text is accepted. */
function wholeNumber(entry: JsonObject, name: string, [from, to]: readonly [number, number], fallback: number): number {
  const value = entry[name] ?? fallback;
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  if (typeof number === 'number' && Number.isInteger(number) && number >= from && number <= to) return number;
  throw new NodeOperationError(`"${name}" must be a whole number from ${from} to ${to}, but is ${shown(value)}`);
}

function shown(value: JsonValue): string {
  return JSON.stringify(value).slice(0, 50);
}
