import { errorMessage, type JsonValue, jsonWeight, parseJson, stringifyJson, TimeSlice } from '@sluice/domain';
import { NodeOperationError } from '@sluice/node-sdk';
import { ApplicationError } from './workflow-module/errors.ts';
import { deepCopy } from './workflow-module/json.ts';

/** Weight of data that are copied at once: a few milliseconds. */
const lightWeight = 20_000;
/** Weight of data that packages may read at once, where they cannot wait: some 50 ms. */
const maxWeight = 300_000;

/** Whether a value is copied in a few milliseconds. */
export function isLight(value: unknown): boolean {
  return jsonWeight(value, lightWeight) <= lightWeight;
}

/**
 * The value as JSON keeps it; `undefined` if it is not JSON or contains itself. At once: for data whose
 * size no user determines.
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

/** As `plainDataInSlices`, at once: for light data. */
export function lightData(value: unknown, name: string): JsonValue | undefined {
  try {
    return copied(value);
  } catch (error) {
    throw notJson(name, error);
  }
}

/** Characters of JSON that are copied at all: more than a response or an item may have. */
const maxLength = 64 * 1024 * 1024;

/**
 * The value as JSON keeps it, copied in time slices; `undefined` for what JSON leaves out, such as a
 * function. Throws if the value has no JSON form, contains itself, or is too long to be sent or stored;
 * the error calls the value `name`.
 */
export async function plainDataInSlices(value: unknown, name: string): Promise<JsonValue | undefined> {
  try {
    const text = (await stringifyJson(value, undefined, 0, maxLength)) as string | undefined;
    return text === undefined ? undefined : ((await parseJson(text)) as JsonValue);
  } catch (error) {
    throw notJson(name, error);
  }
}

/** The error for a value that could not be written as JSON. */
function notJson(name: string, cause: unknown): NodeOperationError {
  // Engine messages about cycles have many lines.
  const [reason] = errorMessage(cause).split('\n');
  return new NodeOperationError(`${name} cannot be written as JSON (${reason})`, { cause });
}

/** As `deepCopy`, for data that a package reads at once. Throws for data that would hold the worker. */
export function boundedCopy<T>(value: T, name: string): T {
  if (jsonWeight(value, maxWeight) <= maxWeight) return deepCopy(value) as T;
  throw new ApplicationError(`${name} is too large to be read at once by a node of a package`);
}

/** `convert` of each element, which is given as a copy. Large ones are copied in time slices. */
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
