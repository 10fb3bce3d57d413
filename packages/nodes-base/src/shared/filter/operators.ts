import type { JsonValue, OperandType } from '@sluice/node-sdk';
import { containsText } from '../contains-text.ts';
import { includesEqual, jsonEqual } from '../json-equal.ts';
import type { RegexTest } from '../user-regex.ts';

/** Right operand of an operation: absent, the operation's type, or a different type. */
type RightOperand = 'none' | OperandType | 'any';

/** Converted operands; dates are milliseconds. `undefined` and null mean no value. */
interface Operands {
  left: JsonValue | undefined;
  right: JsonValue | undefined;
  caseSensitive: boolean;
  regex(source: string): RegexTest;
}

export interface Operator {
  right: RightOperand;
  test(operands: Operands): boolean;
}

const not = ({ right, test }: Operator): Operator => ({ right, test: (operands) => !test(operands) });

const isEmpty = (value: JsonValue | undefined): boolean => {
  if (value === undefined || value === null || value === '') return true;
  if (typeof value !== 'object') return false;
  return (Array.isArray(value) ? value : Object.keys(value)).length === 0;
};

const exists: Operator = { right: 'none', test: ({ left }) => left !== undefined && left !== null };
const empty: Operator = { right: 'none', test: ({ left }) => isEmpty(left) };
const common: [string, Operator][] = [
  ['exists', exists],
  ['notExists', not(exists)],
  ['empty', empty],
  ['notEmpty', not(empty)],
];

/** Equal values have the same kind; null and `undefined` differ. */
const equals = (right: RightOperand): Operator => ({ right, test: ({ left, right: value }) => jsonEqual(left, value) });

const folded = (value: JsonValue | undefined, caseSensitive: boolean): string => {
  const text = typeof value === 'string' ? value : '';
  return caseSensitive ? text : text.toLowerCase();
};

/** A missing text is treated as empty. */
const text = (comparison: (left: string, right: string) => boolean): Operator => ({
  right: 'string',
  test: ({ left, right, caseSensitive }) => comparison(folded(left, caseSensitive), folded(right, caseSensitive)),
});

const textEquals = text((left, right) => left === right);
const textContains = text(containsText);
const startsWith = text((left, right) => left.startsWith(right));
const endsWith = text((left, right) => left.endsWith(right));
const regex: Operator = {
  right: 'string',
  test: ({ left, right, regex: compile }) => compile(folded(right, true))(folded(left, true)),
};

/** Null is treated as 0. `undefined` is neither smaller nor larger than any value. */
const ordered = (comparison: (left: number, right: number) => boolean): Operator => ({
  right: 'number',
  test: ({ left, right }) => comparison(toNumber(left), toNumber(right)),
});

const toNumber = (value: JsonValue | undefined) => (value === undefined ? Number.NaN : Number(value));

/** False if either side is not a date. */
const dates = (comparison: (left: number, right: number) => boolean): Operator => ({
  right: 'dateTime',
  test: ({ left, right }) => typeof left === 'number' && typeof right === 'number' && comparison(left, right),
});

const listContains: Operator = {
  right: 'any',
  test: ({ left, right, caseSensitive }) => {
    if (!Array.isArray(left)) return false;
    if (caseSensitive || typeof right !== 'string') return includesEqual(left, right);
    const sought = right.toLowerCase();
    return left.some((element) => typeof element === 'string' && element.toLowerCase() === sought);
  },
};

/** A missing list is treated as empty. */
const length = (comparison: (length: number, right: number) => boolean): Operator => ({
  right: 'number',
  test: ({ left, right }) => comparison(lengthOf(left), toNumber(right)),
});

const lengthEquals: Operator = { right: 'number', test: ({ left, right }) => lengthOf(left) === right };

const lengthOf = (value: JsonValue | undefined) => (Array.isArray(value) ? value.length : 0);

const operators: Record<OperandType, ReadonlyMap<string, Operator>> = {
  string: new Map([
    ...common,
    ['equals', textEquals],
    ['notEquals', not(textEquals)],
    ['contains', textContains],
    ['notContains', not(textContains)],
    ['startsWith', startsWith],
    ['notStartsWith', not(startsWith)],
    ['endsWith', endsWith],
    ['notEndsWith', not(endsWith)],
    ['regex', regex],
    ['notRegex', not(regex)],
  ]),
  number: new Map([
    ...common,
    ['equals', equals('number')],
    ['notEquals', not(equals('number'))],
    ['gt', ordered((left, right) => left > right)],
    ['lt', ordered((left, right) => left < right)],
    ['gte', ordered((left, right) => left >= right)],
    ['lte', ordered((left, right) => left <= right)],
  ]),
  boolean: new Map([
    ...common,
    ['true', { right: 'none', test: ({ left }) => left === true }],
    ['false', { right: 'none', test: ({ left }) => left !== true }],
    ['equals', equals('boolean')],
    ['notEquals', not(equals('boolean'))],
  ]),
  dateTime: new Map([
    ...common,
    ['equals', dates((left, right) => left === right)],
    ['notEquals', dates((left, right) => left !== right)],
    ['after', dates((left, right) => left > right)],
    ['before', dates((left, right) => left < right)],
    ['afterOrEquals', dates((left, right) => left >= right)],
    ['beforeOrEquals', dates((left, right) => left <= right)],
  ]),
  array: new Map([
    ...common,
    ['contains', listContains],
    ['notContains', not(listContains)],
    ['lengthEquals', lengthEquals],
    ['lengthNotEquals', not(lengthEquals)],
    ['lengthGt', length((size, right) => size > right)],
    ['lengthLt', length((size, right) => size < right)],
    ['lengthGte', length((size, right) => size >= right)],
    ['lengthLte', length((size, right) => size <= right)],
  ]),
  object: new Map(common),
};

/** An operation that the type lacks. Its operands are converted like those of other operations. */
export const neverMet = (right: RightOperand): Operator => ({ right, test: () => false });

/**
 * `undefined` if the type has no such operation. The SDK's `filterOperations` lists all operations.
 */
export function findOperator(type: OperandType, operation: string): Operator | undefined {
  return operators[type].get(operation);
}
