import { isJsonObject, type JsonValue, NodeOperationError, type OperandType } from '@sluice/node-sdk';
import { convertValue } from '../convert-value.ts';
import { describeValue } from '../parameters.ts';
import { parseDate } from '../parse-date.ts';

/** How operands are judged; from the options stored with the conditions, whatever the node's version. */
export interface OperandRules {
  strict: boolean;
  /**
   * Of the stored options. 1: any non-empty text is true, `"false"` too. 2: text is parsed as a boolean. Up to 2 an empty text is
   * the number 0; from 3 on it is no value.
   */
  version: number;
  timezone: string;
}

const typeNames: Record<OperandType, string> = {
  string: 'a text',
  number: 'a number',
  boolean: 'true or false',
  dateTime: 'a date',
  array: 'a list',
  object: 'an object',
};

/**
 * An operand as its type; dates become milliseconds since the epoch. Nothing and null stay without a value and are never an
 * error. Throws a `NodeOperationError` that says `where` the operand is when it has another type or, where types are loose, cannot become one.
 */
export function convertOperand(
  value: JsonValue | undefined,
  type: OperandType,
  rules: OperandRules,
  where: string,
): JsonValue | undefined {
  if (value === undefined || value === null) return undefined;
  if (!rules.strict && value === '' && type !== 'string') return emptyText(type, rules);
  const converted = rules.strict ? strictly(value, type, rules) : loosely(value, type, rules);
  if (converted !== undefined) return converted;
  throw new NodeOperationError(`${where} has to be ${typeNames[type]}, and is ${describeValue(value)}`, {
    description: rules.strict
      ? 'Change the type of the condition, or switch on "Convert types where required"'
      : 'The value cannot be converted: change the type of the condition, or the value',
  });
}

function strictly(value: JsonValue, type: OperandType, { timezone }: OperandRules): JsonValue | undefined {
  switch (type) {
    case 'dateTime':
      return typeof value === 'string' ? parseDate(value, timezone) : undefined;
    case 'array':
      return Array.isArray(value) ? value : undefined;
    case 'object':
      return isJsonObject(value) ? value : undefined;
    default:
      return typeof value === type ? value : undefined;
  }
}

function loosely(value: JsonValue, type: OperandType, { timezone, version }: OperandRules): JsonValue | undefined {
  if (type === 'dateTime') return parseDate(value, timezone);
  if (type === 'boolean' && version < 2) return Boolean(value);
  return convertValue(value, type);
}

function emptyText(type: OperandType, { version }: OperandRules): JsonValue | undefined {
  if (type === 'number' && version < 3) return 0;
  return type === 'boolean' ? false : undefined;
}
