import { formsOf, type JsonValue, jsonObjectIn, minFormLength, parseJson, stringifyJson, TimeSlice } from '@sluice/domain';
import { redactedText } from './redaction.ts';
import { enoughLength } from './text-bucket.ts';
import { type Match, TextFinder } from './text-finder.ts';
import { TextPrefixes } from './text-prefixes.ts';

/** Characters scrubbed in one step: a few milliseconds. */
const chunkLength = 64 * 1024;

/** Maximum number of characters at the end of a string that may be the start of a secret. */
const maxOpenEnd = 64 * 1024;

/** Number of tree values between two checks of the clock. */
const clockInterval = 256;

/** Work that can pause: it yields where a pause is possible, and returns its result. */
type Divided<T> = Generator<undefined, T>;

/**
 * Removes the secrets that an execution has used from stored and logged data: in plain text, in
 * JSON within a string, URL-encoded, in hexadecimal digits, and in base64 (at any offset within an
 * encoded text, as in a Basic header). Other derivations of a secret, such as a hash or a token,
 * are only recognized if they are added too.
 */
export class SecretScrubber {
  readonly #secrets = new Set<string>();
  readonly #forms = new Set<string>();
  readonly #finder = new TextFinder();
  /** Finds the forms as they appear in JSON text. */
  readonly #jsonFinder = new TextFinder();
  #prefixes: TextPrefixes | undefined;
  readonly #minLength: number;

  /** `minLength`: minimum length of a secret that is removed; at least `minFormLength`. */
  constructor({ minLength = minFormLength }: { minLength?: number } = {}) {
    this.#minLength = Math.max(minLength, minFormLength);
  }

  /**
   * Adds every string within a value, including strings that contain an object as JSON; field names
   * are not added.
   */
  add(value: JsonValue): void {
    for (const text of textsIn(value)) {
      if (text.length < this.#minLength || this.#secrets.has(text)) continue;
      this.#secrets.add(text);
      for (const form of formsOf(text)) this.#addForm(form);
    }
  }

  #addForm(form: string): void {
    if (this.#forms.has(form)) return;
    this.#forms.add(form);
    this.#prefixes = undefined;
    this.#finder.add(form);
    this.#jsonFinder.add(JSON.stringify(form).slice(1, -1));
  }

  /** Whether no secrets have been added yet. */
  get isEmpty(): boolean {
    return this.#secrets.size === 0;
  }

  /** Whether plain text contains a secret, in time slices. Rejects with the signal's reason. */
  async occursIn(text: string, signal?: AbortSignal): Promise<boolean> {
    return !this.isEmpty && inSlices(occurs(this.#finder, text), signal);
  }

  /**
   * Length of the part of a string that can be scrubbed now, although more text follows: a secret
   * may start in the rest. The rest has at most 64 Ki characters.
   */
  settledLength(text: string): number {
    if (this.isEmpty) return text.length;
    this.#prefixes ??= new TextPrefixes(this.#forms, enoughLength);
    let settled = this.#prefixes.openEndOf(text);
    const matches: Match[] = [];
    for (let at = Math.max(0, text.length - maxOpenEnd); at < text.length; ) at = this.#finder.find(text, at, matches);
    for (const { start, end } of matches) {
      const mayContinue = end === text.length && end - start >= enoughLength;
      if (mayContinue || (start < settled && settled < end)) settled = start;
    }
    return settled;
  }

  /** Plain text without the secrets. */
  scrubText(text: string): string {
    return this.isEmpty ? text : atOnce(this.#scrubText(text));
  }

  /**
   * JSON text written by `JSON.stringify`, without the secrets in its strings, numbers, and keys.
   * Returns a string for a short string, and a promise for a long one, which is scrubbed in time
   * slices. Rejects with the signal's reason.
   */
  scrubJson(json: string, signal?: AbortSignal): string | Promise<string> {
    if (this.isEmpty) return json;
    if (json.length > chunkLength) return this.#scrubLong(json, signal);
    return atOnce(occurs(this.#jsonFinder, json)) ? JSON.stringify(this.scrubValue(JSON.parse(json) as JsonValue)) : json;
  }

  /** A copy of data without the secrets in its strings, numbers, and keys. */
  scrubValue(value: JsonValue): JsonValue {
    return atOnce(this.#scrubValue(value, { remaining: clockInterval }));
  }

  async #scrubLong(json: string, signal: AbortSignal | undefined): Promise<string> {
    if (!(await inSlices(occurs(this.#jsonFinder, json), signal))) return json;
    const value = (await parseJson(json, signal)) as JsonValue;
    return stringifyJson(await inSlices(this.#scrubValue(value, { remaining: clockInterval }), signal), { signal });
  }

  *#scrubText(text: string): Divided<string> {
    const matches: Match[] = [];
    const parts: string[] = [];
    let doneTo = 0;
    for (let at = 0; at < text.length; ) {
      at = this.#finder.find(text, at, matches);
      const isOver = at === text.length;
      // The last match may overlap a later one.
      const settled = matches.splice(0, isOver ? matches.length : matches.length - 1);
      if (settled.length > 0) parts.push(replaced(text, doneTo, settled));
      doneTo = settled.at(-1)?.end ?? doneTo;
      if (!isOver) yield;
    }
    return doneTo === 0 ? text : parts.join('') + text.slice(doneTo);
  }

  *#scrubValue(value: JsonValue, pause: { remaining: number }): Divided<JsonValue> {
    if (--pause.remaining <= 0) {
      pause.remaining = clockInterval;
      yield;
    }
    if (typeof value === 'string') return yield* this.#scrubText(value);
    if (typeof value === 'number') return this.#secrets.has(String(value)) ? redactedText : value;
    if (typeof value !== 'object' || value === null) return value;
    if (Array.isArray(value)) {
      const scrubbed: JsonValue[] = [];
      for (const child of value) scrubbed.push(yield* this.#scrubValue(child, pause));
      return scrubbed;
    }
    // A null prototype, because users choose the keys.
    const scrubbed = Object.create(null) as Record<string, JsonValue>;
    for (const [name, child] of Object.entries(value)) {
      scrubbed[yield* this.#scrubText(name)] = yield* this.#scrubValue(child, pause);
    }
    return scrubbed;
  }
}

/** Whether `SecretScrubber#add` would find more than `maxSecrets` different secrets in a value. */
export function hasMoreSecrets(value: JsonValue, maxSecrets: number): boolean {
  const secrets = new Set<string>();
  for (const text of textsIn(value)) if (text.length >= minFormLength && secrets.add(text).size > maxSecrets) return true;
  return false;
}

function* occurs(finder: TextFinder, text: string): Divided<boolean> {
  const matches: Match[] = [];
  for (let at = 0; at < text.length && matches.length === 0; ) {
    at = finder.find(text, at, matches);
    yield;
  }
  return matches.length > 0;
}

/** The text from `start` to the end of the last match. */
function replaced(text: string, start: number, matches: readonly Match[]): string {
  const parts: string[] = [];
  let end = start;
  for (const match of matches) {
    parts.push(text.slice(end, match.start), redactedText);
    end = match.end;
  }
  return parts.join('');
}

function atOnce<T>(work: Divided<T>): T {
  for (;;) {
    const step = work.next();
    if (step.done) return step.value;
  }
}

async function inSlices<T>(work: Divided<T>, signal: AbortSignal | undefined): Promise<T> {
  const slice = new TimeSlice();
  for (;;) {
    const step = work.next();
    if (step.done) return step.value;
    if (!slice.isOver) continue;
    await slice.next();
    signal?.throwIfAborted();
  }
}

/** All strings and numbers within a value. Not recursive: a string may contain deep JSON. */
function* textsIn(root: JsonValue): Iterable<string> {
  const pending: JsonValue[] = [root];
  for (let value = pending.pop(); value !== undefined; value = pending.pop()) {
    if (typeof value === 'number') yield String(value);
    else if (typeof value === 'string') {
      yield value;
      pending.push(jsonObjectIn(value) ?? null);
    } else if (typeof value === 'object' && value !== null) for (const child of Object.values(value)) pending.push(child);
  }
}
