import { BeyondHost, type HostBudget } from '@sluice/expressions';
import { encode } from '../host/host-text.ts';
import { keysOf, parse, stringify } from './host-json.ts';
import { assertShort } from './text-length.ts';

/*
 * The language's functions that the host calls: built-in functions that ECMAScript defines
 * completely, found by name in closed sets, on values that cannot call code. Their cost is bounded
 * before they run, because they cannot be interrupted. In all other cases they throw `BeyondHost`,
 * and the guest evaluates.
 */

/** Maximum number of elements in a list that a method reads. */
const maxListLength = 10_000;
/** Maximum number of comparisons in a search, whose worst case is the product of both lengths. */
const maxComparisons = 1_000_000;
/** Number of comparisons that count as one operation. */
const comparisonsPerOperation = 100;

type Values = readonly unknown[];

const searches = new Set(['includes', 'indexOf', 'lastIndexOf', 'replace', 'replaceAll', 'split']);
const textMethods = new Set([
  ...searches,
  'at',
  'charAt',
  'concat',
  'endsWith',
  'padEnd',
  'padStart',
  'repeat',
  'slice',
  'startsWith',
  'substring',
  'toLowerCase',
  'toString',
  'toUpperCase',
  'trim',
  'trimEnd',
  'trimStart',
]);
const listMethods = new Set(['at', 'includes', 'indexOf', 'join', 'slice']);
/** The same methods, plus methods that change their list. */
const ownListMethods = new Set([...listMethods, 'pop', 'shift']);

/** Methods that the language adds, without arguments, as in `guest/*-methods.ts`. */
const addedMethods = new Map<string, (receiver: unknown, budget: HostBudget) => unknown>([
  ['first', (receiver) => listIn(receiver)[0]],
  ['last', (receiver) => listIn(receiver).at(-1)],
  ['isEmpty', (receiver) => lengthOf(receiver) === 0],
  ['isNotEmpty', (receiver) => lengthOf(receiver) > 0],
  ['toJsonString', (receiver, budget) => stringify([present(receiver)], budget)],
  ['parseJson', (receiver, budget) => parse(receiver, budget)],
  ['toNumber', numberOf],
  ['base64Encode', (receiver) => encode({ text: textIn(receiver), from: 'utf8', to: 'base64' })],
  ['base64Decode', (receiver) => encode({ text: textIn(receiver), from: 'base64', to: 'utf8' })],
]);

export const methodNames: ReadonlySet<string> = new Set([...textMethods, ...ownListMethods, ...addedMethods.keys(), 'toFixed']);

/** Whether a method has a result for undefined and null, which an optional chain (`?.`) skips. */
export function acceptsNothing(name: string): boolean {
  return name === 'isEmpty' || name === 'isNotEmpty';
}

/** Whether a function returns a new list, to which no data refers. */
export function makesList(name: string): boolean {
  return name === 'split' || name === 'slice' || name === 'Object.keys';
}

const functions = new Map<string, (values: Values, budget: HostBudget) => unknown>([
  ['Boolean', ([value]) => Boolean(value)],
  ['Number', (values) => (values.length === 0 ? 0 : Number(primitive(values[0])))],
  ['String', (values) => (values.length === 0 ? '' : String(primitive(values[0])))],
  ['parseFloat', ([value]) => Number.parseFloat(String(primitive(value)))],
  ['parseInt', ([value, radix]) => exact(Number.parseInt(String(primitive(value)), Number(primitive(radix))))],
  ['encodeURIComponent', ([value]) => encodeURIComponent(String(primitive(value)))],
  ['JSON.stringify', stringify],
  ['JSON.parse', ([text], budget) => parse(text, budget)],
  ['Object.keys', keysOf],
  ['Array.isArray', ([value]) => Array.isArray(value)],
  ['Date.now', () => Date.now()],
  ['$if', ([test, ...branches]) => (test ? branches[0] : branches.length > 1 ? branches[1] : false)],
  ['$ifEmpty', ifEmpty],
  ...(['abs', 'ceil', 'floor', 'max', 'min', 'round', 'sign', 'trunc'] as const).map(
    (name) =>
      [`Math.${name}`, (values: Values) => Reflect.apply(Math[name], undefined, values.map(primitive)) as number] as const,
  ),
]);

export const functionNames: ReadonlySet<string> = new Set(functions.keys());

/** Calls one of `functionNames`. */
export function callFunction(name: string, values: Values, budget: HostBudget): unknown {
  for (const value of values) if (typeof value === 'string') budget.spendText(value.length);
  return charged(budget, () => functions.get(name)?.(values, budget));
}

/** A call of one of `methodNames`. */
interface MethodCall {
  method: string;
  receiver: unknown;
  values: Values;
  /** Whether the method may change the list. */
  isOwnList: boolean;
}

export function callMethod({ method: name, receiver, values, isOwnList }: MethodCall, budget: HostBudget): unknown {
  const primitives = values.map(primitive);
  for (const value of primitives) if (typeof value === 'string') budget.spendText(value.length);
  return charged(budget, () => {
    const added = primitives.length === 0 ? addedMethods.get(name) : undefined;
    if (added) return added(receiver, budget);
    if (typeof receiver === 'string') return callOnText(receiver, name, primitives, budget);
    const ofList = isOwnList ? ownListMethods : listMethods;
    if (Array.isArray(receiver) && ofList.has(name)) return callOnList(receiver, name, primitives, budget);
    return callOnPlain(receiver, name, primitives);
  });
}

function callOnPlain(receiver: unknown, name: string, values: Values): string {
  if (typeof receiver === 'number' && name === 'toFixed') return fixed(receiver, values);
  const isPlain = typeof receiver === 'number' || typeof receiver === 'boolean';
  if (!isPlain || name !== 'toString' || values.length > 0) throw BeyondHost.instance;
  return String(receiver);
}

/** Calls within the budget. The guest reports failures of functions. */
export function charged(budget: HostBudget, call: () => unknown): unknown {
  budget.assertCallsInTime();
  let result: unknown;
  try {
    result = call();
  } catch {
    throw BeyondHost.instance;
  }
  if (typeof result === 'string') budget.spendText(result.length);
  if (Array.isArray(result)) budget.spendWork(result.length);
  return result;
}

function callOnText(text: string, name: string, values: Values, budget: HostBudget): unknown {
  if (!textMethods.has(name)) throw BeyondHost.instance;
  assertShort(text.length);
  budget.spendText(text.length);
  if (searches.has(name)) spendSearch(text.length, values[0], budget);
  assertShort(lengthAfter(text, name, values));
  return Reflect.apply(String.prototype[name as 'trim'], text, values);
}

/** `length`: the length of the searched text or list. */
function spendSearch(length: number, pattern: unknown, budget: HostBudget): void {
  const comparisons = length * String(pattern).length;
  if (comparisons > maxComparisons) throw BeyondHost.instance;
  budget.spendWork(comparisons / comparisonsPerOperation);
}

/**
 * Maximum length of the result of a method that may lengthen a string, in characters; 0 for any
 * other method.
 */
function lengthAfter(text: string, name: string, [first, second]: Values): number {
  switch (name) {
    case 'padEnd':
    case 'padStart':
      return Number(first) || 0;
    case 'repeat':
      return Math.max(1, text.length) * (Number(first) || 0);
    case 'replace':
    case 'replaceAll':
      return (1 + text.length / Math.max(1, String(first).length)) * replacementLength(String(second));
    default:
      return 0;
  }
}

/** A dollar sign may insert the whole text. */
function replacementLength(replacement: string): number {
  return replacement.includes('$') ? Number.POSITIVE_INFINITY : replacement.length;
}

function callOnList(list: unknown[], name: string, values: Values, budget: HostBudget): unknown {
  if (list.length > maxListLength) throw BeyondHost.instance;
  budget.spendWork(list.length);
  if (searches.has(name)) spendSearch(list.length, values[0], budget);
  if (name === 'join') assertShort(joinedLength(list, values[0]));
  return Reflect.apply(Array.prototype[name as 'join'], list, values);
}

function joinedLength(list: readonly unknown[], separator: unknown): number {
  const betweens = list.length * (separator === undefined ? 1 : String(separator).length);
  return list.reduce<number>((sum, element) => sum + String(primitive(element) ?? '').length, betweens);
}

/** Numbers from 1e21 on are written in other ways. */
function fixed(number: number, [digits = 0, ...more]: Values): string {
  const isUsual = Math.abs(number) < 1e21 && typeof digits === 'number' && digits >= 0 && digits <= 20;
  if (!isUsual || more.length > 0) throw BeyondHost.instance;
  return number.toFixed(digits);
}

/** The guest reports text that is not a number. */
function numberOf(value: unknown): number {
  const isConvertible = ['string', 'number', 'boolean'].includes(typeof value);
  const number = Number(primitive(value));
  if (!isConvertible || Number.isNaN(number)) throw BeyondHost.instance;
  return number;
}

/** Engines differ in how they round large numbers in radixes other than ten. */
function exact(number: number): number {
  if (Math.abs(number) > Number.MAX_SAFE_INTEGER) throw BeyondHost.instance;
  return number;
}

function listIn(value: unknown): unknown[] {
  if (!Array.isArray(value)) throw BeyondHost.instance;
  return value;
}

function lengthOf(value: unknown): number {
  if (value === undefined || value === null) return 0;
  return typeof value === 'string' ? value.length : listIn(value).length;
}

function present(value: unknown): unknown {
  if (value === undefined || value === null) throw BeyondHost.instance;
  return value;
}

/** A value whose conversion calls no code and takes little time. */
function primitive(value: unknown): string | number | boolean | null | undefined {
  if (typeof value === 'object' && value !== null) throw BeyondHost.instance;
  if (typeof value === 'string') assertShort(value.length);
  return value as string | number | boolean | null | undefined;
}

function textIn(value: unknown): string {
  if (typeof value !== 'string') throw BeyondHost.instance;
  assertShort(value.length);
  return value;
}

/** The guest reports a wrong number of arguments. */
function ifEmpty(values: Values): unknown {
  if (values.length !== 2) throw BeyondHost.instance;
  return isEmpty(values[0]) ? values[1] : values[0];
}

function isEmpty(value: unknown): boolean {
  if (value === undefined || value === null || value === '') return true;
  if (Array.isArray(value)) return value.length === 0;
  if (typeof value !== 'object') return false;
  for (const _ in value) return false;
  return true;
}
