import { ExpressionFailure } from './failures.ts';
import { stringify } from './json.ts';
import type { MethodTable } from './method-table.ts';
import { encodeForm } from './url.ts';

export type PlainObject = Record<string, unknown>;

/** Captured before user text runs. */
const { getPrototypeOf } = Object;

export const objectMethods: MethodTable<PlainObject> = {
  compact: compactObject,
  hasField: (object, name: string) => Object.hasOwn(object, name),
  isEmpty: (object) => Object.keys(object).length === 0,
  isNotEmpty: (object) => Object.keys(object).length > 0,
  keepFieldsContaining: (object, text: string) => keepFields(object, containsText(text, 'keepFieldsContaining')),
  keys: (object) => Object.keys(object),
  merge: (object, other: unknown) => (isPlainObject(other) ? mergeObjects(object, other) : object),
  removeField: (object, name: string) => keepFields(object, (_, key) => key !== name),
  removeFieldsContaining: (object, text: string) => {
    const contains = containsText(text, 'removeFieldsContaining');
    return keepFields(object, (value) => !contains(value));
  },
  toJsonString: (object) => stringify(object),
  urlEncode: (object) => encodeForm(Object.entries(object).map(([key, value]) => [key, String(value)])),
  values: (object) => Object.values(object),
};

/** The object without empty fields, at all levels. */
function compactObject(object: PlainObject): PlainObject {
  const entries = Object.entries(object).filter(([, value]) => !isBlank(value));
  return Object.fromEntries(entries.map(([key, value]) => [key, compacted(value)]));
}

/** The list without empty elements, at all levels. */
export function compactList(list: readonly unknown[]): unknown[] {
  return list.filter((value) => !isBlank(value)).map(compacted);
}

function compacted(value: unknown): unknown {
  if (Array.isArray(value)) return compactList(value);
  return isPlainObject(value) ? compactObject(value) : value;
}

function isBlank(value: unknown): boolean {
  if (value === null || value === undefined || value === '' || value === 'nil') return true;
  if (Array.isArray(value)) return value.length === 0;
  return isPlainObject(value) && Object.keys(value).length === 0;
}

export function isPlainObject(value: unknown): value is PlainObject {
  if (typeof value !== 'object' || value === null) return false;
  const prototype = getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

/** For a field in both objects, the first object's value takes precedence. */
export function mergeObjects(object: PlainObject, other: PlainObject): PlainObject {
  return Object.fromEntries([
    ...Object.entries(object),
    ...Object.entries(other).filter(([key]) => !Object.hasOwn(object, key)),
  ]);
}

function keepFields(object: PlainObject, keep: (value: unknown, key: string) => boolean): PlainObject {
  return Object.fromEntries(Object.entries(object).filter(([key, value]) => keep(value, key)));
}

/** Throws for an empty text, even if the object has no fields. */
function containsText(text: unknown, method: string): (value: unknown) => boolean {
  if (typeof text !== 'string' || text === '') throw new ExpressionFailure(`${method}() takes the text to look for`);
  return (value) => typeof value === 'string' && value.includes(text);
}
