import {
  type ExecuteContext,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  NodeOperationError,
  ownProperty,
} from '@sluice/node-sdk';
import { coercedText, stringOf } from '../coerced-text.ts';
import { containsText } from '../contains-text.ts';
import { ordered } from '../ordered.ts';
import { describeValue, requireGroup, wrongParameter } from '../parameters.ts';
import { DateReader } from '../parse-date.ts';
import { RegexCache } from '../user-regex.ts';

/** Helpers for the tests, one set per node run. */
interface Tools {
  dates: DateReader;
  patterns: RegexCache;
}

/** `undefined`: an expression without a value. */
type Operand = JsonValue | undefined;
type Test = (left: Operand, right: Operand, tools: Tools) => boolean;

const text = (value: Operand): string => (isJsonObject(value) ? JSON.stringify(value) : coercedText(value));
/** Zero and false are treated as empty. */
const filledText = (value: Operand): string => (value ? text(value) : '');
const isNothing = (value: Operand) => value === undefined || value === null;

const regex: Test = (left, right, { patterns }) => patterns.get(filledText(right), 'the condition', false)(filledText(left));
const isEmpty: Test = (left) =>
  isNothing(left) || left === '' || (typeof left === 'object' && Object.keys(left ?? {}).length === 0);
const not =
  (test: Test): Test =>
  (...operands) =>
    !test(...operands);

/** Compares without conversion: the text `5` is not the number 5. */
const equals: Test = (left, right) => left === right;
const contains: Test = (left, right) => containsText(filledText(left), filledText(right));
/** Only the empty text starts or ends with an empty text. */
const startsWith: Test = (left, right) => !isNothing(right) && plainText(left).startsWith(text(right));
const endsWith: Test = (left, right) => !isNothing(right) && plainText(left).endsWith(text(right));

function plainText(value: Operand): string {
  if (typeof value !== 'object' || value === null) return text(value);
  throw new NodeOperationError(`a string condition needs a string, but got ${describeValue(value)}`, {
    description: 'Compare a field of it, or its JSON text',
  });
}

/**
 * Compares as JavaScript does: strings by code unit, a string and a number as numbers. A missing
 * value and an empty text are treated as 0.
 */
const onOrder =
  (test: (left: number, right: number) => boolean): Test =>
  (left, right) =>
    test(ordered(left || 0) as number, ordered(right || 0) as number);
const onDates =
  (test: (left: number, right: number) => boolean): Test =>
  (left, right, { dates }) =>
    test(date(left ?? null, dates), date(right ?? null, dates));

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
        ['equal', equals],
        ['notEqual', not(equals)],
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
        ['smaller', onOrder((left, right) => left < right)],
        ['smallerEqual', onOrder((left, right) => left <= right)],
        ['equal', equals],
        ['notEqual', not(equals)],
        ['larger', onOrder((left, right) => left > right)],
        ['largerEqual', onOrder((left, right) => left >= right)],
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
        ['equal', equals],
        ['notEqual', not(equals)],
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

/** Operands and operation of a stored condition; a missing member has its type's default. */
interface LegacyCondition {
  value1?: JsonValue | undefined;
  operation?: JsonValue;
  value2?: JsonValue | undefined;
}

/**
 * Evaluates conditions of the first versions, which convert operands to the condition's type
 * without errors. Each node run uses one instance.
 */
export class LegacyConditions {
  readonly #context: ExecuteContext;
  readonly #tools: Tools;

  constructor(context: ExecuteContext) {
    this.#context = context;
    this.#tools = { dates: new DateReader(context.workflow.timezone), patterns: new RegexCache() };
  }

  /**
   * Whether an item meets any or all of the conditions grouped by type in the parameter
   * `conditions`.
   */
  matches(itemIndex: number, any: boolean): boolean {
    requireGroup(this.#context, 'conditions', itemIndex);
    for (const type of kinds.keys()) {
      for (const [index, condition] of this.#conditions(type, itemIndex).entries()) {
        const written = this.#written(type, index);
        if (this.meets(type, condition, (name) => name in condition || name in written) === any) return any;
      }
    }
    return !any;
  }

  /**
   * The conditions of a type. Throws for a single object: with defaults for all missing members,
   * its result would be meaningless.
   */
  #conditions(type: string, itemIndex: number): JsonObject[] {
    const path = `conditions.${type}`;
    const list = this.#context.parameter<JsonValue>(path, itemIndex, []);
    if (Array.isArray(list) && list.every((entry) => isJsonObject(entry))) return list;
    throw wrongParameter(path, 'a list of conditions', list, itemIndex);
  }

  /** A condition as stored, for operands whose expression has no value. */
  #written(type: string, index: number): JsonObject {
    const groups = ownProperty(this.#context.node.parameters, 'conditions');
    const list = isJsonObject(groups) ? ownProperty(groups, type) : undefined;
    const written = Array.isArray(list) ? list[index] : undefined;
    return isJsonObject(written) ? written : {};
  }

  /**
   * Whether operands meet a condition. Throws `NodeOperationError` for an unknown operation or an
   * invalid date.
   *
   * @param type boolean, dateTime, number, or string
   * @param isWritten whether an operand is stored rather than a default
   */
  meets(
    type: string,
    condition: LegacyCondition,
    isWritten = (name: 'value1' | 'value2') => condition[name] !== undefined,
  ): boolean {
    const { operation } = condition;
    const kind = kinds.get(type);
    const test = kind?.tests.get(stringOf(operation ?? kind.operation));
    if (!kind || !test) {
      throw new NodeOperationError(`a ${type} condition has an unknown operation: ${describeValue(operation)}`, {
        description: 'Choose an operation from the list',
      });
    }
    const operand = (name: 'value1' | 'value2') => (isWritten(name) ? condition[name] : kind.empty);
    return test(operand('value1'), operand('value2'), this.#tools);
  }
}

function date(value: JsonValue, dates: DateReader): number {
  const milliseconds = dates.read(value);
  if (milliseconds !== undefined) return milliseconds;
  throw new NodeOperationError(`a dateTime condition needs a date, but has ${describeValue(value)}`, {
    description: 'Use an ISO date; check the expression against the node’s input',
  });
}
