import { ExpressionFailure } from './failures.ts';
import { stringify } from './json.ts';
import type { MethodTable } from './method-table.ts';
import { compactList, isPlainObject, mergeObjects, type PlainObject } from './object-methods.ts';
import { greatest, least } from './root-functions.ts';

type List = readonly unknown[];

export const arrayMethods: MethodTable<List> = {
  append: (list, ...values: unknown[]) => [...list, ...values],
  average: (list) => (list.length === 0 ? 0 : sum(numbers(list, 'average')) / list.length),
  chunk,
  compact: compactList,
  difference: (list, other: List) => without(list, keysOf(asList(other, 'difference'))),
  first: (list) => list[0],
  intersection: (list, other: List) => {
    const wanted = keysOf(asList(other, 'intersection'));
    return unique(list).filter((value) => wanted.has(keyOf(value)));
  },
  isEmpty: (list) => list.length === 0,
  isNotEmpty: (list) => list.length > 0,
  last: (list) => list[list.length - 1],
  max: (list) => greatest(numbers(list, 'max')),
  merge,
  min: (list) => least(numbers(list, 'min')),
  pluck,
  randomItem: (list) => list[Math.floor(Math.random() * list.length)],
  removeDuplicates: unique,
  renameKeys,
  smartJoin,
  sum: (list) => sum(numbers(list, 'sum')),
  toJsonString: (list) => stringify(list),
  union: (list, other: List) => unique([...list, ...asList(other, 'union')]),
  unique,
};

function numbers(list: List, method: string): number[] {
  if (!list.every((value) => typeof value === 'number'))
    throw new ExpressionFailure(`${method}() is for arrays of numbers only`);
  return list as number[];
}

function asList(value: unknown, method: string): List {
  if (!Array.isArray(value)) throw new ExpressionFailure(`${method}() takes an array`);
  return value;
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

function chunk(list: List, length?: number): List[] {
  if (typeof length !== 'number' || !(length >= 1))
    throw new ExpressionFailure('chunk() takes the length of a chunk, 1 or more');
  const size = Math.floor(length);
  return Array.from({ length: Math.ceil(list.length / size) }, (_, index) => list.slice(index * size, (index + 1) * size));
}

/** Equal for values with equal content, regardless of field order. */
function keyOf(value: unknown): string {
  return stringify(value, (_, part: unknown) => (isPlainObject(part) ? Object.entries(part).sort(byKey) : part)) ?? 'undefined';
}

function byKey([a]: [string, unknown], [b]: [string, unknown]): number {
  return a < b ? -1 : 1;
}

function keysOf(list: List): Set<string> {
  return new Set(list.map(keyOf));
}

/** The values that differ from each other and are not in `seen`. */
function without(list: List, seen: Set<string>, partOf: (value: unknown) => unknown = (value) => value): unknown[] {
  return list.filter((value) => {
    const key = keyOf(partOf(value));
    return seen.size < seen.add(key).size;
  });
}

/** `keys`: fields to compare, as arguments or comma-separated. Default: all fields. */
function unique(list: List, ...keys: string[]): unknown[] {
  const fields = keys.flatMap((key) => String(key).split(',')).map((key) => key.trim());
  if (fields.length === 0) return without(list, new Set());
  return without(list, new Set(), (value) => (isPlainObject(value) ? fields.map((field) => value[field]) : value));
}

/**
 * The values of the fields, of objects that have one of them. With several fields, an object with
 * more than one of them becomes a list, in the order of the object.
 */
function pluck(list: List, ...fields: string[]): unknown[] {
  if (fields.length === 0) return [...list];
  return list.filter(isPlainObject).flatMap((object) => {
    const values = Object.entries(object).flatMap(([key, value]) => (fields.includes(key) ? [value] : []));
    if (values.length === 0) return [];
    return [values.length === 1 ? values[0] : values];
  });
}

/** Merges two lists object by object; without an argument, all objects into one. */
function merge(list: List, other?: List): unknown {
  if (other === undefined)
    return list.filter(isPlainObject).reduce<PlainObject>((all, object) => mergeObjects(all, object), {});
  const right = asList(other, 'merge');
  const length = Math.max(list.length, right.length);
  return Array.from({ length }, (_, index) => mergeElements(list[index], right[index]));
}

function mergeElements(left: unknown, right: unknown): unknown {
  if (isPlainObject(left) && isPlainObject(right)) return mergeObjects(left, right);
  return left === undefined ? right : left;
}

/** `from1, to1, from2, to2, …` */
function renameKeys(list: List, ...names: string[]): unknown[] {
  if (names.length === 0 || names.length % 2 > 0) throw new ExpressionFailure('renameKeys() takes pairs of names: from, to');
  const renamed = new Map<string, string>();
  for (let at = 0; at < names.length; at += 2) renamed.set(names[at] as string, names[at + 1] as string);
  return list.map((value) => {
    if (!isPlainObject(value)) return value;
    return Object.fromEntries(Object.entries(value).map(([key, field]) => [renamed.get(key) ?? key, field]));
  });
}

function smartJoin(list: List, keyField: string, valueField: string): PlainObject {
  if (!isName(keyField) || !isName(valueField)) throw new ExpressionFailure('smartJoin() takes the names of two fields');
  const entries = list.filter(isPlainObject).filter((object) => Object.hasOwn(object, keyField));
  return Object.fromEntries(entries.map((object) => [String(object[keyField]), object[valueField]]));
}

function isName(value: unknown): boolean {
  return typeof value === 'string' && value !== '';
}
