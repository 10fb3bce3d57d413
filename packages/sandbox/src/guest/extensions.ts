import { arrayMethods } from './array-methods.ts';
import { dateMethods } from './date-methods.ts';
import { isDateTime } from './dates.ts';
import type { MethodTable } from './method-table.ts';
import { booleanMethods, numberMethods } from './number-methods.ts';
import { isPlainObject, objectMethods } from './object-methods.ts';
import { stringMethods } from './string-methods.ts';

type Method = (value: unknown, ...args: unknown[]) => unknown;
type Table = ReadonlyMap<string, Method>;

const tableOf = (methods: MethodTable<never>): Table => new Map(Object.entries(methods) as [string, Method][]);

const nothing = tableOf({ isEmpty: () => true, isNotEmpty: () => false });
const strings = tableOf(stringMethods);
const numbers = tableOf(numberMethods);
const booleans = tableOf(booleanMethods);
const arrays = tableOf(arrayMethods);
const objects = tableOf(objectMethods);
const dates = tableOf(dateMethods);
const none: Table = new Map();

/** Captured before user text runs. */
const { apply } = Reflect;

/** Method names for which expressions are scanned. */
export function extensionNames(): string[] {
  const tables = [strings, numbers, booleans, arrays, objects, dates];
  return [...new Set(tables.flatMap((table) => [...table.keys()]))];
}

/**
 * Evaluates a call `value.name(…)` of an expression: a method of the value or of the language if it
 * exists, else the extension for that kind of value. Throws a TypeError if there is neither.
 */
export function callMethod(value: unknown, name: string, ...args: unknown[]): unknown {
  if (value !== null && value !== undefined) {
    const member = (value as Record<string, unknown>)[name];
    if (typeof member === 'function') return apply(member, value, args);
  }
  const method = methodsOf(value).get(name);
  if (!method) throw new TypeError(`${name} is not a function`);
  return method(value, ...args);
}

/** Same as `callMethod` within an optional chain: `undefined` without a value. */
export function optionalMethod(value: unknown, name: string): ((...args: unknown[]) => unknown) | undefined {
  return value === null || value === undefined ? undefined : (...args) => callMethod(value, name, ...args);
}

function methodsOf(value: unknown): Table {
  switch (typeof value) {
    case 'string':
      return strings;
    case 'number':
      return numbers;
    case 'boolean':
      return booleans;
    case 'object':
      return value === null ? nothing : methodsOfObject(value);
    default:
      return value === undefined ? nothing : none;
  }
}

function methodsOfObject(value: object): Table {
  if (Array.isArray(value)) return arrays;
  if (value instanceof Date || isDateTime(value)) return dates;
  return isPlainObject(value) ? objects : none;
}
