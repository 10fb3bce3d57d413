import { errorMessage, type JsonValue, jsonWeight, parseJson, stringifyJson, TimeSlice } from '@sluice/domain';
import { NodeOperationError } from '@sluice/node-sdk';
import { ApplicationError } from './workflow-module/errors.ts';
import { deepCopy } from './workflow-module/json.ts';

/** Weight of data that are copied synchronously, in a few milliseconds. */
const lightWeight = 20_000;
/** Weight of data that packages may read synchronously, where they cannot wait: about 50 ms. */
const maxWeight = 300_000;

/** Whether a value can be copied in a few milliseconds. */
export function isLight(value: unknown): boolean {
  return jsonWeight(value, lightWeight) <= lightWeight;
}

/**
 * The value as JSON represents it; `undefined` if it is not JSON or contains itself. Synchronous:
 * only for data whose size users do not determine.
 */
export function plainData(value: unknown): JsonValue | undefined {
  try {
    return copied(value);
  } catch {
    return undefined;
  }
}

function copied(value: unknown): JsonValue | undefined {
  const text = JSON.stringify(value) as string | undefined;
  return text === undefined ? undefined : (JSON.parse(text) as JsonValue);
}

/** Same as `plainDataInSlices`, but synchronous: for light data. */
export function lightData(value: unknown, name: string): JsonValue | undefined {
  try {
    return copied(value);
  } catch (error) {
    throw notJson(name, error);
  }
}

/**
 * Maximum length of JSON that is copied, in characters; above the limits for a response and an
 * item.
 */
const maxLength = 64 * 1024 * 1024;

/**
 * The value as JSON represents it, copied in time slices; `undefined` for values that JSON omits,
 * such as functions. Throws if the value has no JSON form, contains itself, or is too long to be
 * sent or stored; the error calls the value `name`.
 */
export async function plainDataInSlices(value: unknown, name: string): Promise<JsonValue | undefined> {
  try {
    const text = (await stringifyJson(value, { maxLength })) as string | undefined;
    return text === undefined ? undefined : ((await parseJson(text)) as JsonValue);
  } catch (error) {
    throw notJson(name, error);
  }
}

/** The error for a value that cannot be written as JSON. */
function notJson(name: string, cause: unknown): NodeOperationError {
  // Engine messages about cycles have many lines.
  const [reason] = errorMessage(cause).split('\n');
  return new NodeOperationError(`${name} cannot be written as JSON (${reason})`, { cause });
}

/**
 * Same as `deepCopy`, for data that a package reads synchronously. Throws for data that would block
 * the worker.
 */
export function boundedCopy<T>(value: T, name: string): T {
  if (jsonWeight(value, maxWeight) <= maxWeight) return deepCopy(value) as T;
  throw new ApplicationError(`${name} is too large for a package node to read at once`);
}

/** Calls `convert` with a copy of each element. Large elements are copied in time slices. */
export async function mapCopies<From extends object, To>(
  list: readonly From[],
  convert: (copy: From, index: number) => To,
): Promise<To[]> {
  const slice = new TimeSlice();
  const converted: To[] = [];
  for (const [index, value] of list.entries()) {
    const copy = isLight(value) ? deepCopy(value) : await parseJson(await stringifyJson(value));
    converted.push(convert(copy as From, index));
    if (slice.isOver) await slice.next();
  }
  return converted;
}
