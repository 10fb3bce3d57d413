import { type ExecuteContext, isJsonObject, type JsonObject, type JsonValue, NodeOperationError } from '@sluice/node-sdk';
import { describeValue, requireGroup, wrongParameter } from '../parameters.ts';
import { parseDate } from '../parse-date.ts';
import { RegexCache } from '../user-regex.ts';

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

/** Operands and operation of a condition as it is stored; what is absent has the default of its type. */
export interface LegacyCondition {
  value1?: JsonValue;
  operation?: JsonValue;
  value2?: JsonValue;
}

/** Judges conditions of the first versions, whose operands are taken as the condition's type without complaint. One for a node run. */
export class LegacyConditions {
  readonly #context: ExecuteContext;
  readonly #tools: Tools;

  constructor(context: ExecuteContext) {
    this.#context = context;
    this.#tools = { timezone: context.workflow.timezone, patterns: new RegexCache() };
  }

  /** Whether an item meets any, or all, of the conditions that are grouped by type in the parameter `conditions`. */
  matches(itemIndex: number, any: boolean): boolean {
    requireGroup(this.#context, 'conditions', itemIndex);
    for (const type of kinds.keys()) {
      for (const condition of this.#conditions(type, itemIndex)) {
        if (this.meets(type, condition) === any) return any;
      }
    }
    return !any;
  }

  /** An object alone is no condition: all that it lacked would count as a default, and the answer mean nothing. */
  #conditions(type: string, itemIndex: number): JsonObject[] {
    const path = `conditions.${type}`;
    const list = this.#context.parameter<JsonValue>(path, itemIndex, []);
    if (Array.isArray(list) && list.every((entry) => isJsonObject(entry))) return list;
    throw wrongParameter(path, 'a list of conditions', list, itemIndex);
  }

  /** `type`: boolean, dateTime, number or string. Throws `NodeOperationError` for an unknown operation, and for a date that is none. */
  meets(type: string, { value1, operation, value2 }: LegacyCondition): boolean {
    const kind = kinds.get(type);
    const test = kind?.tests.get(String(operation ?? kind.operation));
    if (!kind || !test) {
      throw new NodeOperationError(`a ${type} condition has an unknown operation: ${describeValue(operation)}`, {
        description: 'Choose an operation of the list',
      });
    }
    const operand = (value: JsonValue | undefined) => (value === undefined ? kind.empty : value);
    return test(operand(value1), operand(value2), this.#tools);
  }
}

function date(value: JsonValue, timezone: string): number {
  const milliseconds = parseDate(value, timezone);
  if (milliseconds !== undefined) return milliseconds;
  throw new NodeOperationError(`a dateTime condition needs a date, and has ${describeValue(value)}`, {
    description: 'Give an ISO date; check the expression against what arrives at the node',
  });
}
