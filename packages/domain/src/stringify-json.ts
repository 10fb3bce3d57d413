import { jsonWeight } from './json-weight.ts';
import { TimeSlice } from './time-slice.ts';

/** Weight that `JSON.stringify` writes in one call: a few milliseconds. */
const pieceWeight = 20_000;

/**
 * Depth from which a value is written in one call: more than stored data may have. `JSON.stringify`
 * detects a cycle there.
 */
const maxDepth = 600;

/**
 * `JSON.stringify` of JSON data, in time slices: a large value does not block the event loop.
 * Returns the text itself for a small value, and a promise otherwise. Throws or rejects as
 * `JSON.stringify` does; rejects with the signal's reason while writing a large value.
 */
export function stringifyJson(value: unknown, signal?: AbortSignal): string | Promise<string> {
  return jsonWeight(value, pieceWeight) <= pieceWeight ? JSON.stringify(value) : stringifyLarge(value, signal);
}

async function stringifyLarge(value: unknown, signal: AbortSignal | undefined): Promise<string> {
  const slice = new TimeSlice();
  const parts: string[] = [];
  for (const part of partsOf(value, 0)) {
    parts.push(part);
    if (!slice.isOver) continue;
    await slice.next();
    signal?.throwIfAborted();
  }
  const text = parts.join('');
  // Joining takes time, and so does the caller's next step.
  await slice.next();
  signal?.throwIfAborted();
  return text;
}

function* partsOf(value: unknown, depth: number): Generator<string> {
  if (depth > maxDepth || typeof value !== 'object' || value === null || hasOwnForm(value))
    yield JSON.stringify(value) ?? 'null';
  else if (jsonWeight(value, pieceWeight) <= pieceWeight) yield JSON.stringify(value);
  else if (Array.isArray(value)) yield* partsOfArray(value, depth);
  else yield* partsOfObject(value as Record<string, unknown>, depth);
}

/** Adjacent light elements are written together. */
function* partsOfArray(array: readonly unknown[], depth: number): Generator<string> {
  let before = '[';
  let from = 0;
  let weight = 0;
  const group = (end: number) => `${before}${JSON.stringify(array.slice(from, end)).slice(1, -1)}`;
  for (let index = 0; index < array.length; index++) {
    const added = jsonWeight(array[index], pieceWeight);
    if (weight + added <= pieceWeight) {
      weight += added;
      continue;
    }
    if (index > from) {
      yield group(index);
      before = ',';
    }
    from = index;
    weight = added;
    if (added <= pieceWeight) continue;
    yield before;
    yield* partsOf(array[index], depth + 1);
    before = ',';
    from = index + 1;
    weight = 0;
  }
  yield from < array.length ? `${group(array.length)}]` : before === '[' ? '[]' : ']';
}

function* partsOfObject(object: Record<string, unknown>, depth: number): Generator<string> {
  let before = '{';
  for (const [key, value] of Object.entries(object)) {
    if (value === undefined || typeof value === 'function' || typeof value === 'symbol') continue;
    yield `${before}${JSON.stringify(key)}:`;
    yield* partsOf(value, depth + 1);
    before = ',';
  }
  yield before === '{' ? '{}' : '}';
}

/** Dates and similar objects define their own JSON. */
function hasOwnForm(value: object): boolean {
  return typeof (value as { toJSON?: unknown }).toJSON === 'function';
}
