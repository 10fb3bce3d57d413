import { jsonWeight } from '@sluice/domain';
import { BeyondHost, type HostBudget, jsonNumber } from '@sluice/expressions';
import { assertShort } from './text-length.ts';

/*
 * JSON in the host: the values that expressions write, parse, and put into other values. All of it
 * is bounded before or while it runs. Anything that the guest might treat differently throws
 * `BeyondHost`.
 */

/** Maximum weight (`jsonWeight`) of a value that is written as JSON in one call. */
const maxJsonWeight = 2_000;
/** The same with indents, whose size may grow with the square of the weight. */
const maxIndentedWeight = 500;
/** Maximum number of values in data that is parsed, or that becomes part of another value. */
const maxValues = 10_000;
const maxDepth = 64;

export function stringify([value, replacer, indent]: readonly unknown[], budget: HostBudget): string | undefined {
  if (replacer !== undefined && replacer !== null) throw BeyondHost.instance;
  spendJson(value, budget, indent === undefined ? maxJsonWeight : maxIndentedWeight);
  if (typeof indent === 'object' && indent !== null) throw BeyondHost.instance;
  // V8 ends an indent at a null character, and adds line breaks for an indent of less than one
  // space.
  if (typeof indent === 'string' && indent.includes('\0')) throw BeyondHost.instance;
  return JSON.stringify(value, null, typeof indent === 'number' ? Math.trunc(indent) : (indent as string | undefined));
}

/** In the guest, lists of groups of a regular expression have more keys. */
export function keysOf([value]: readonly unknown[], budget: HostBudget): string[] {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw BeyondHost.instance;
  spendJson(value, budget, maxJsonWeight);
  return Object.keys(value);
}

/** The guest reports text that is not JSON. */
export function parse(text: unknown, budget: HostBudget): unknown {
  if (typeof text !== 'string') throw BeyondHost.instance;
  assertShort(text.length);
  return plainJson(JSON.parse(text), budget);
}

/**
 * Returns data that becomes part of another value. It is not copied, but counts as if it were,
 * because it may be repeated. Rejects everything that is not JSON, and values without a JSON form.
 */
export function plainJson<Value>(value: Value, budget: HostBudget): Value {
  const count = countValues(value, budget, maxValues, 0);
  budget.spendWork(maxValues - count);
  return value;
}

/** Returns how many of `left` values are left. */
function countValues(value: unknown, budget: HostBudget, left: number, depth: number): number {
  if (left <= 0 || depth > maxDepth || value === undefined) throw BeyondHost.instance;
  if (typeof value === 'string') budget.spendText(value.length);
  if (typeof value !== 'object' || value === null) {
    jsonNumber(value);
    return left - 1;
  }
  let rest = left - 1;
  if (Array.isArray(value)) {
    for (const element of value as unknown[]) rest = countValues(element, budget, rest, depth + 1);
    return rest;
  }
  if (!isPlain(value)) throw BeyondHost.instance;
  for (const key in value) {
    budget.spendText(key.length);
    rest = countValues((value as Record<string, unknown>)[key], budget, rest, depth + 1);
  }
  return rest;
}

/** Whether an object is no instance of a class, in any realm. */
function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}

function spendJson(value: unknown, budget: HostBudget, maxWeight: number): void {
  const weight = jsonWeight(value, maxWeight);
  if (weight > maxWeight) throw BeyondHost.instance;
  budget.spendWork(weight);
}
