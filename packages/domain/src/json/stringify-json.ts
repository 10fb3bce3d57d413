import { TimeSlice } from '../time-slice.ts';
import { JsonText } from './json.ts';
import { exceedsDepth } from './json-depth.ts';
import { hasOwnForm, jsonWeight, measureJson } from './json-weight.ts';

/** Maximum weight that `JSON.stringify` writes in one call: a few milliseconds. */
const chunkWeight = 20_000;

/**
 * Maximum characters of a long string that are written in one call: a few milliseconds if each is
 * escaped.
 */
const chunkLength = 256 * 1024;

/**
 * Depth from which a value is written in one call: more than stored data may have.
 */
const deepest = 600;

interface StringifyOptions {
  /** Aborts the writing of a large value, which then rejects with the signal's reason. */
  signal?: AbortSignal | undefined;
  /**
   * Spaces per level, with each member on a line of its own. Default: 0, one line, with each
   * `JsonText` as it is.
   */
  indent?: number;
  /** Characters after which the text of a large value rejects with `JsonTooLongError`. */
  maxLength?: number;
  /** A value with more levels throws or rejects with `JsonTooDeepError`. */
  maxDepth?: number;
}

/**
 * `JSON.stringify` of JSON data, in time slices: a large value does not block the event loop.
 * Returns the text itself for a small value, and a promise otherwise. Throws or rejects as
 * `JSON.stringify` does.
 */
export function stringifyJson(value: unknown, options: StringifyOptions = {}): string | Promise<string> {
  const { indent = 0, signal } = options;
  const json = new JsonParts(options);
  if (json.fitsChunk(value)) return JSON.stringify(value, null, indent);
  return joined(partsOf(value, json, options), signal);
}

/**
 * Like `stringifyJson` in one line, but the text of a large value stays in parts: a copy of it
 * would take as much memory again.
 */
export function stringifyJsonInParts(value: unknown): string | Promise<readonly string[]> {
  const json = new JsonParts({});
  return json.fitsChunk(value) ? JSON.stringify(value) : partsOf(value, json, {});
}

/** The JSON text of a value is longer than its limit. */
export class JsonTooLongError extends RangeError {
  constructor(maxLength: number) {
    super(`the JSON is longer than ${maxLength} characters`);
  }
}

/** A value has more levels of arrays and objects than its limit. */
export class JsonTooDeepError extends RangeError {
  constructor(maxDepth: number) {
    super(`the JSON is nested deeper than ${maxDepth} levels`);
  }
}

async function joined(parts: Promise<readonly string[]>, signal: AbortSignal | undefined): Promise<string> {
  const text = (await parts).join('');
  // Joining takes time, and so does the caller's next step.
  await new TimeSlice().next();
  signal?.throwIfAborted();
  return text;
}

async function partsOf(
  value: unknown,
  json: JsonParts,
  { signal, maxLength = Number.POSITIVE_INFINITY }: StringifyOptions,
): Promise<readonly string[]> {
  const slice = new TimeSlice();
  // The weight was counted in this turn.
  await slice.next();
  signal?.throwIfAborted();
  const parts: string[] = [];
  let length = 0;
  for (const part of json.of(value, 0)) {
    length += part.length;
    if (length > maxLength) throw new JsonTooLongError(maxLength);
    parts.push(part);
    if (!slice.isOver) continue;
    await slice.next();
    signal?.throwIfAborted();
  }
  return parts;
}

class JsonParts {
  readonly #indent: number;
  readonly #maxDepth: number;
  /** Objects with many keys. Listing them takes up to 30 ms, so it is not repeated. */
  readonly #wide = new Set<object>();
  /** Containers that are currently being written. */
  readonly #open = new Set<object>();

  constructor({ indent = 0, maxDepth = Number.POSITIVE_INFINITY }: StringifyOptions) {
    this.#indent = indent;
    this.#maxDepth = maxDepth;
  }

  /** Whether one call may write the value. Throws `JsonTooDeepError`. */
  fitsChunk(value: unknown): boolean {
    return this.#weightOf(value, 0) <= chunkWeight;
  }

  *of(value: unknown, depth: number): Generator<string> {
    if (typeof value === 'string') yield* this.#ofText(value);
    else if (value instanceof JsonText && this.#indent === 0) yield value.text;
    else if (depth > deepest || typeof value !== 'object' || value === null || hasOwnForm(value))
      yield this.#whole(value, depth);
    else if (this.#weightOf(value, depth) <= chunkWeight) yield this.#written(value, depth) as string;
    else {
      this.#assertDepth(depth + 1);
      // Throws as `JSON.stringify` does, before megabytes of a cycle are written.
      if (this.#open.has(value)) throw new TypeError('Converting circular structure to JSON');
      this.#open.add(value);
      yield* Array.isArray(value) ? this.#ofArray(value, depth) : this.#ofObject(value as Record<string, unknown>, depth);
      this.#open.delete(value);
    }
  }

  /** `depth`: levels around the value. */
  #weightOf(value: unknown, depth: number): number {
    const measure = measureJson(value, chunkWeight, this.#wide);
    if (measure.weight <= chunkWeight) this.#assertDepth(depth + measure.depth);
    return measure.weight;
  }

  #assertDepth(depth: number): void {
    if (depth > this.#maxDepth) throw new JsonTooDeepError(this.#maxDepth);
  }

  /** Adjacent light elements are written together. */
  *#ofArray(array: readonly unknown[], depth: number): Generator<string> {
    const line = this.#line(depth + 1);
    let before = '[';
    let from = 0;
    let weight = 0;
    const group = (end: number) => `${before}${this.#members(array.slice(from, end), depth)}`;
    for (let index = 0; index < array.length; index++) {
      const added = this.#weightOf(array[index], depth + 1);
      if (weight + added <= chunkWeight) {
        weight += added;
        continue;
      }
      if (index > from) {
        yield group(index);
        before = ',';
      }
      from = index;
      weight = added;
      if (added <= chunkWeight) continue;
      yield before + line;
      yield* this.of(array[index], depth + 1);
      before = ',';
      from = index + 1;
      weight = 0;
    }
    if (from < array.length) yield group(array.length);
    yield `${this.#line(depth)}]`;
  }

  /**
   * Adjacent light members are written together: each part of a deep value passes through the
   * generators of all levels.
   */
  *#ofObject(object: Record<string, unknown>, depth: number): Generator<string> {
    const line = this.#line(depth + 1);
    const colon = this.#indent > 0 ? ': ' : ':';
    let before = '{';
    let group = '';
    let weight = 0;
    // A pause, if one is due, before the keys are listed.
    if (this.#wide.has(object)) yield '';
    for (const key of Object.keys(object)) {
      const value = object[key];
      const ofValue = this.#weightOf(value, depth + 1);
      const text = ofValue <= chunkWeight ? this.#written(value, depth + 1) : '';
      if (text === undefined) continue;
      const added = ofValue + jsonWeight(key, chunkWeight);
      if (weight + added > chunkWeight) {
        yield group;
        group = '';
        weight = 0;
      }
      if (added <= chunkWeight) {
        group += `${before}${line}"${escaped(key)}"${colon}${text}`;
        weight += added;
      } else {
        yield before + line;
        yield* this.#ofText(key);
        yield colon;
        yield* this.of(value, depth + 1);
      }
      before = ',';
    }
    yield group + (before === '{' ? '{}' : `${this.#line(depth)}}`);
  }

  *#ofText(text: string): Generator<string> {
    let before = '"';
    let at = 0;
    while (text.length - at > chunkLength) {
      const end = at + chunkLength - (endsInPair(text, at + chunkLength) ? 1 : 0);
      yield before + escaped(text.slice(at, end));
      before = '';
      at = end;
    }
    yield `${before}${escaped(text.slice(at))}"`;
  }

  /** The text between an array's brackets; it has at least one element. */
  #members(array: readonly unknown[], depth: number): string {
    const text = this.#written(array, depth) as string;
    return text.slice(1, -1 - this.#line(depth).length);
  }

  /** A value that is written in one call whatever its weight. */
  #whole(value: unknown, depth: number): string {
    const text = this.#written(value, depth) ?? 'null';
    if (exceedsDepth(text, this.#maxDepth - depth)) throw new JsonTooDeepError(this.#maxDepth);
    return text;
  }

  #written(value: unknown, depth: number): string | undefined {
    const text = JSON.stringify(value, null, this.#indent) as string | undefined;
    return this.#indent > 0 ? text?.replaceAll('\n', this.#line(depth)) : text;
  }

  /** Text before a member at this depth. */
  #line(depth: number): string {
    return this.#indent > 0 ? `\n${' '.repeat(this.#indent * depth)}` : '';
  }
}

/** The text between the quotes of a JSON string. */
function escaped(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}

/** Whether this end of a chunk separates the two surrogates of a character. */
function endsInPair(text: string, end: number): boolean {
  return (text.charCodeAt(end - 1) & 0xfc00) === 0xd800 && (text.charCodeAt(end) & 0xfc00) === 0xdc00;
}
