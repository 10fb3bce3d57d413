import {
  asksFor,
  type ExecuteContext,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  NodeOperationError,
  ownProperty,
  parseJson,
  type UnsupportedUse,
} from '@sluice/node-sdk';
import { coercedText, stringOf } from './coerced-text.ts';

/*
 * Typed reading of parameters. A missing or null value yields the fallback (the default in the
 * node's description). A value of another type throws a `NodeOperationError` that contains the
 * parameter name.
 */

/** Source of parameters: a node run, or a trigger that is being set up. */
export type ParameterSource = Pick<ExecuteContext, 'parameter'>;

/** Text; numbers and booleans, which expressions often yield, are converted. */
export function textParameter(context: ParameterSource, path: string, itemIndex: number, fallback = ''): string {
  const value = raw(context, path, itemIndex) ?? fallback;
  if (typeof value === 'string') return value;
  if (typeof value === 'number' || typeof value === 'boolean') return stringOf(value);
  throw wrongParameter(path, 'a string', value, itemIndex);
}

/** Text that is not blank. */
export function requiredText(context: ParameterSource, path: string, itemIndex: number, fallback = ''): string {
  const value = textParameter(context, path, itemIndex, fallback);
  if (value.trim() !== '') return value;
  throw new NodeOperationError(`the parameter "${path}" is required`, {
    itemIndex,
    description: 'Fill it in; its expression may have no value for this item',
  });
}

/**
 * Text that the author must write, at least as an expression. `undefined` if the expression has no
 * value; it may yield empty text.
 */
export function writtenText(
  context: Pick<ExecuteContext, 'node' | 'parameter'>,
  name: string,
  itemIndex: number,
): string | undefined {
  const written = ownProperty(context.node.parameters, name) ?? '';
  if (written === '') return requiredText(context, name, itemIndex);
  return (raw(context, name, itemIndex) ?? undefined) === undefined ? undefined : textParameter(context, name, itemIndex);
}

export function numberParameter(context: ParameterSource, path: string, itemIndex: number, fallback: number): number {
  const value = raw(context, path, itemIndex) ?? fallback;
  if (value === '') return fallback;
  const number = typeof value === 'string' ? Number(value) : value;
  if (typeof number === 'number' && Number.isFinite(number)) return number;
  throw wrongParameter(path, 'a number', value, itemIndex);
}

export function booleanParameter(context: ParameterSource, path: string, itemIndex: number, fallback: boolean): boolean {
  const value = raw(context, path, itemIndex) ?? fallback;
  if (typeof value === 'boolean') return value;
  if (value === '') return fallback;
  if (value === 'true' || value === 'false') return value === 'true';
  throw wrongParameter(path, 'true or false', value, itemIndex);
}

export function choiceParameter<T extends string>(
  context: ParameterSource,
  path: string,
  itemIndex: number,
  choices: readonly T[],
  fallback: NoInfer<T>,
): T {
  const value = raw(context, path, itemIndex) ?? fallback;
  const choice = choices.find((candidate) => candidate === value);
  if (choice !== undefined) return choice;
  if (value === '') return fallback;
  throw wrongParameter(path, `one of ${choices.join(', ')}`, value, itemIndex);
}

/**
 * The objects in a list, the format of fixed collections with several values; a single object is
 * treated as a list with one element.
 */
export function listParameter(context: ParameterSource, path: string, itemIndex: number): JsonObject[] {
  const value = raw(context, path, itemIndex) ?? [];
  const list = Array.isArray(value) ? value : [value];
  if (list.every((entry) => isJsonObject(entry))) return list;
  throw wrongParameter(path, 'a list of objects', value, itemIndex);
}

/** A JSON object, stored as an object or as JSON text. */
export function objectParameter(context: ParameterSource, path: string, itemIndex: number): JsonObject {
  const value = raw(context, path, itemIndex) ?? {};
  const parsed = typeof value === 'string' ? parseJsonParameter(path, value, itemIndex) : value;
  if (isJsonObject(parsed)) return parsed;
  throw wrongParameter(path, 'a JSON object', value, itemIndex);
}

/**
 * Throws if a group parameter is not written as an object, since its members would not be found. A
 * group that is an expression is checked when its members are read.
 */
export function requireGroup(context: Pick<ExecuteContext, 'node'>, name: string, itemIndex: number): void {
  const written = ownProperty(context.node.parameters, name);
  if (written === undefined || (typeof written === 'object' && written !== null) || written === '') return;
  if (typeof written === 'string' && written.startsWith('=')) return;
  throw wrongParameter(name, 'an object', written, itemIndex);
}

/** Comma-separated names, or a list of names. */
export function namesParameter(context: ParameterSource, path: string, itemIndex: number): string[] {
  const value = raw(context, path, itemIndex) ?? [];
  const names = Array.isArray(value) ? value : coercedText(value).split(',');
  return names.map((name) => coercedText(name).trim()).filter((name) => name !== '');
}

/** Maximum number of JSON characters that are parsed at once: 30 ms in the worst case. */
const maxJsonLength = 1_000_000;

/**
 * Parses a parameter that is JSON text of at most 1,000,000 characters. The error contains no more
 * of the text than the parser's message.
 */
export function parseJsonParameter(path: string, text: string, itemIndex: number): JsonValue {
  if (text.length > maxJsonLength) {
    const message = `the parameter "${path}" has more than ${maxJsonLength} characters of JSON`;
    throw new NodeOperationError(message, { itemIndex, description: 'Make the JSON shorter' });
  }
  try {
    return JSON.parse(text) as JsonValue;
  } catch (cause) {
    throw notJson(path, itemIndex, cause);
  }
}

/** Like `parseJsonParameter`, in time slices, for strings that contain data. */
export async function parseDataParameter(path: string, text: string, itemIndex: number): Promise<JsonValue> {
  try {
    return (await parseJson(text)) as JsonValue;
  } catch (cause) {
    throw notJson(path, itemIndex, cause);
  }
}

function notJson(path: string, itemIndex: number, cause: unknown): NodeOperationError {
  const description = cause instanceof Error ? cause.message : undefined;
  return new NodeOperationError(`the parameter "${path}" is not valid JSON`, { itemIndex, description, cause });
}

export function wrongParameter(path: string, expected: string, value: JsonValue, itemIndex: number): NodeOperationError {
  return new NodeOperationError(`the parameter "${path}" must be ${expected}, but is ${describeValue(value)}`, {
    itemIndex,
    description: 'Change the parameter, or the result of its expression for this item',
  });
}

/** Throws for the first unsupported use in an item's parameters. */
export function refuseUnsupported(source: ParameterSource, uses: readonly UnsupportedUse[], itemIndex: number): void {
  const unsupportedUse = uses.find((use) => asksFor(use, (path) => raw(source, path, itemIndex)));
  if (unsupportedUse) throw unsupported(unsupportedUse.what, unsupportedUse.hint, itemIndex);
}

/** The error for a known but unsupported feature of the format: never a silent difference. */
export function unsupported(what: string, hint: string, itemIndex?: number): NodeOperationError {
  return new NodeOperationError(`${what} is not supported yet`, { itemIndex, description: hint }, 'NOT_SUPPORTED');
}

/** Describes a value in an error message: its kind, and its beginning if it is short. */
export function describeValue(value: JsonValue | undefined): string {
  if (value === undefined) return 'nothing';
  if (value === null) return 'null';
  if (Array.isArray(value)) return `a list of ${value.length}`;
  if (typeof value === 'object') return 'an object';
  if (typeof value !== 'string') return `the ${typeof value} ${value}`;
  return `the text ${JSON.stringify(value.length > 50 ? `${value.slice(0, 50)}…` : value)}`;
}

function raw(context: ParameterSource, path: string, itemIndex: number): JsonValue | undefined {
  return context.parameter<JsonValue>(path, itemIndex) ?? undefined;
}
