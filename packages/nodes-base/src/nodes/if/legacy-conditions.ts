import { type ExecuteContext, type JsonObject, type JsonValue, NodeOperationError } from '@sluice/node-sdk';
import { choiceParameter, describeValue, listParameter } from '../../shared/parameters.ts';
import { parseDate } from '../../shared/parse-date.ts';
import { RegexCache } from '../../shared/user-regex.ts';

/** What tests need beside the operands; one for a node run. */
interface Tools {
  timezone: string;
  patterns: RegexCache;
}

type Test = (left: JsonValue, right: JsonValue, tools: Tools) => boolean;

const text = (value: JsonValue): string =>
  typeof value === 'object' && value !== null ? JSON.stringify(value) : String(value ?? '');
const regex: Test = (left, right, { patterns }) => patterns.get(text(right), 'the condition', false)(text(left));
const isEmpty: Test = (left) => left === null || left === '';
const not =
  (test: Test): Test =>
  (...operands) =>
    !test(...operands);

const onText =
  (test: (left: string, right: string) => boolean): Test =>
  (left, right) =>
    test(text(left), text(right));
const onNumbers =
  (test: (left: number, right: number) => boolean): Test =>
  (left, right) =>
    test(Number(left), Number(right));
const onDates =
  (test: (left: number, right: number) => boolean): Test =>
  (left, right, { timezone }) =>
    test(date(left, timezone), date(right, timezone));

const textEquals = onText((left, right) => left === right);
const contains = onText((left, right) => left.includes(right));
const startsWith = onText((left, right) => left.startsWith(right));
const endsWith = onText((left, right) => left.endsWith(right));
const numberEquals = onNumbers((left, right) => left === right);

interface Kind {
  operation: string;
  empty: JsonValue;
  tests: ReadonlyMap<string, Test>;
}

const kinds: ReadonlyMap<string, Kind> = new Map([
  [
    'boolean',
    {
      operation: 'equal',
      empty: false,
      tests: new Map<string, Test>([
        ['equal', (left, right) => left === right],
        ['notEqual', (left, right) => left !== right],
      ]),
    },
  ],
  [
    'dateTime',
    {
      operation: 'after',
      empty: null,
      tests: new Map([
        ['after', onDates((left, right) => left > right)],
        ['before', onDates((left, right) => left < right)],
      ]),
    },
  ],
  [
    'number',
    {
      operation: 'smaller',
      empty: 0,
      tests: new Map([
        ['smaller', onNumbers((left, right) => left < right)],
        ['smallerEqual', onNumbers((left, right) => left <= right)],
        ['equal', numberEquals],
        ['notEqual', not(numberEquals)],
        ['larger', onNumbers((left, right) => left > right)],
        ['largerEqual', onNumbers((left, right) => left >= right)],
        ['isEmpty', isEmpty],
        ['isNotEmpty', not(isEmpty)],
      ]),
    },
  ],
  [
    'string',
    {
      operation: 'equal',
      empty: '',
      tests: new Map([
        ['equal', textEquals],
        ['notEqual', not(textEquals)],
        ['contains', contains],
        ['notContains', not(contains)],
        ['startsWith', startsWith],
        ['notStartsWith', not(startsWith)],
        ['endsWith', endsWith],
        ['notEndsWith', not(endsWith)],
        ['regex', regex],
        ['notRegex', not(regex)],
        ['isEmpty', isEmpty],
        ['isNotEmpty', not(isEmpty)],
      ]),
    },
  ],
]);

/** Version 1: conditions in groups by type, operands taken as that type without complaint. One for a node run. */
export function legacyConditions(context: ExecuteContext): (itemIndex: number) => boolean {
  const tools: Tools = { timezone: context.workflow.timezone, patterns: new RegexCache() };
  return (itemIndex) => {
    const any = choiceParameter(context, 'combineOperation', itemIndex, ['all', 'any'], 'all') === 'any';
    for (const [name, kind] of kinds) {
      for (const condition of listParameter(context, `conditions.${name}`, itemIndex)) {
        if (meets(condition, name, kind, tools) === any) return any;
      }
    }
    return !any;
  };
}

function meets(condition: JsonObject, name: string, { operation, empty, tests }: Kind, tools: Tools): boolean {
  const test = tests.get(String(condition['operation'] ?? operation));
  if (!test)
    throw new NodeOperationError(`a ${name} condition has an unknown operation: ${describeValue(condition['operation'])}`);
  const operand = (key: string): JsonValue => (condition[key] === undefined ? empty : condition[key]);
  return test(operand('value1'), operand('value2'), tools);
}

function date(value: JsonValue, timezone: string): number {
  const milliseconds = parseDate(value, timezone);
  if (milliseconds !== undefined) return milliseconds;
  throw new NodeOperationError(`a dateTime condition needs a date, and has ${describeValue(value)}`);
}
