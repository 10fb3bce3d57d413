import { isJsonObject, type JsonValue, NodeOperationError, type OperandType } from '@sluice/node-sdk';
import { coercedText } from '../coerced-text.ts';
import { convertValue } from '../convert-value.ts';
import { describeValue } from '../parameters.ts';
import type { DateReader } from '../parse-date.ts';

/**
 * How operands are converted; from the options stored with the conditions, not from the node's
 * version.
 */
export interface OperandRules {
  strict: boolean;
  /**
   * Version in the stored options. 1: any string except an empty string is true, including
   * `"false"`. Up to 2, blank text is the number 0; from 3 on, it is no value.
   */
  version: number;
  dates: DateReader;
}

const typeNames: Record<OperandType, string> = {
  string: 'a string',
  number: 'a number',
  boolean: 'true or false',
  dateTime: 'a date',
  array: 'a list',
  object: 'an object',
};

/**
 * Converts an operand to its type; dates become milliseconds since the epoch. `undefined` and null
 * are returned unchanged. Throws a `NodeOperationError` that contains `where` if the operand has
 * another type or, with loose types, cannot be converted.
 */
export function convertOperand(
  value: JsonValue | undefined,
  type: OperandType,
  rules: OperandRules,
  where: string,
): JsonValue | undefined {
  if (value === undefined || value === null) return value;
  if (type === 'number' && rules.version >= 3 && isBlank(value)) return null;
  const converted = rules.strict ? strictly(value, type, rules) : loosely(value, type, rules);
  if (converted !== undefined) return converted;
  throw new NodeOperationError(`${where} must be ${typeNames[type]}, but is ${describeValue(value)}`, {
    description: rules.strict
      ? 'Change the type of the condition, or switch on "Convert types where required"'
      : 'The value cannot be converted: change the type of the condition, or the value',
  });
}

function strictly(value: JsonValue, type: OperandType, { dates }: OperandRules): JsonValue | undefined {
  switch (type) {
    case 'dateTime':
      return dates.read(value);
    case 'array':
      return Array.isArray(value) ? value : undefined;
    case 'object':
      return isJsonObject(value) ? value : undefined;
    default:
      return typeof value === type ? value : undefined;
  }
}

function loosely(value: JsonValue, type: OperandType, { dates, version }: OperandRules): JsonValue | undefined {
  switch (type) {
    case 'dateTime':
      return dates.read(value);
    case 'boolean':
      return isTrue(value, version);
    case 'number':
      return looseNumber(value);
    case 'object':
      return value === 'null' ? null : convertValue(value, type);
    default:
      return convertValue(value, type);
  }
}

const falseTexts: ReadonlySet<string> = new Set(['', 'false', '0']);

function isTrue(value: JsonValue, version: number): boolean {
  return version < 2 ? Boolean(value) : !falseTexts.has(textOf(value).toLowerCase());
}

/** Blank text, an empty list, and false are 0; a list with one element is that element. */
function looseNumber(value: JsonValue): number | undefined {
  const number = isJsonObject(value) ? Number.NaN : Number(Array.isArray(value) ? coercedText(value) : value);
  return Number.isNaN(number) ? undefined : number;
}

const isBlank = (value: JsonValue) => (typeof value === 'string' || Array.isArray(value)) && textOf(value).trim() === '';

/** A list's text joins the texts of its elements. */
const textOf = (value: JsonValue) => (isJsonObject(value) ? '{}' : coercedText(value));
