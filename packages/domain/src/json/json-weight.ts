import { JsonText } from './json.ts';

/** Characters that weigh as much as one value. */
const charactersPerValue = 64;

/**
 * Characters of a `JsonText` up to which it is parsed and written with the values around it. A
 * longer one weighs more than any limit, so that `stringifyJson` copies it.
 */
const maxParsedText = 1_024;
/** Characters of a `JsonText` that weigh as much as one value: few, as its values may be short. */
const charactersPerParsedValue = 8;

/** Levels of recursion after which a container waits on a list: no tree overflows the stack. */
const maxRecursion = 256;

/** The size of a JSON tree. */
export interface JsonMeasure {
  /** See `jsonWeight`. */
  weight: number;
  /** Levels of arrays and objects, unless the weight exceeds its limit; none for a `JsonText`. */
  depth: number;
}

/**
 * Number of values in a JSON tree; a long string counts as several. Stops once the weight exceeds
 * `maxWeight`, so the cost is proportional to `maxWeight`, except that an object's keys are listed
 * at once.
 */
export function jsonWeight(root: unknown, maxWeight: number): number {
  return measureJson(root, maxWeight).weight;
}

/**
 * Weight and depth of a JSON tree.
 *
 * @param wide collects objects whose keys alone exceed `maxWeight`. Their keys are not listed
 * again, so use the set with a single `maxWeight`.
 */
export function measureJson(root: unknown, maxWeight: number, wide?: Set<object>): JsonMeasure {
  const scale = new JsonScale(maxWeight, wide);
  scale.add(root, 0);
  scale.addWaiting();
  return scale;
}

/** Measures a tree by recursion, which takes half the time of a list of open values. */
class JsonScale implements JsonMeasure {
  weight = 0;
  depth = 0;
  readonly #maxWeight: number;
  readonly #wide: Set<object> | undefined;
  /** Containers below `maxRecursion` levels. */
  readonly #waiting: { container: object; depth: number }[] = [];

  constructor(maxWeight: number, wide: Set<object> | undefined) {
    this.#maxWeight = maxWeight;
    this.#wide = wide;
  }

  add(value: unknown, depth: number): void {
    this.weight += 1;
    if (typeof value === 'string') this.weight += value.length / charactersPerValue;
    else if (typeof value === 'object' && value !== null) this.#open(value, depth + 1);
  }

  addWaiting(): void {
    for (let next = this.#waiting.pop(); next && this.weight <= this.#maxWeight; next = this.#waiting.pop())
      this.#addMembers(next.container, next.depth);
  }

  #open(container: object, depth: number): void {
    if (depth % maxRecursion === 0) this.#waiting.push({ container, depth });
    else this.#addMembers(container, depth);
  }

  #addMembers(container: object, depth: number): void {
    if (Array.isArray(container)) this.#addElements(container, depth);
    else if (container instanceof JsonText) this.#addText(container);
    else if (hasOwnForm(container)) this.#addForm(container.toJSON(''), depth);
    else if (this.#wide?.has(container)) this.weight += this.#maxWeight;
    else this.#addEntries(container as Record<string, unknown>, depth);
  }

  /** An object is written as it is here, even if it also has a `toJSON`. */
  #addForm(form: unknown, depth: number): void {
    if (typeof form !== 'object' || form === null) this.add(form, depth);
    else if (Array.isArray(form)) this.#addElements(form, depth);
    else this.#addEntries(form as Record<string, unknown>, depth);
  }

  #addElements(array: readonly unknown[], depth: number): void {
    if (depth > this.depth) this.depth = depth;
    const { length } = array;
    if (length > this.#maxWeight) this.weight += length;
    else for (let at = 0; at < length && this.weight <= this.#maxWeight; at += 1) this.add(array[at], depth);
  }

  #addText({ text }: JsonText): void {
    this.weight += text.length > maxParsedText ? this.#maxWeight : text.length / charactersPerParsedValue;
  }

  /**
   * All keys count before the values' own keys, so that no more than one object's keys are listed
   * beyond `maxWeight`.
   */
  #addEntries(object: Record<string, unknown>, depth: number): void {
    if (depth > this.depth) this.depth = depth;
    let keys = 0;
    const containers: object[] = [];
    for (const key in object) {
      const added = 1 + key.length / charactersPerValue;
      keys += added;
      this.weight += added;
      if (this.weight <= this.#maxWeight) {
        const value = object[key];
        if (typeof value === 'object' && value !== null) containers.push(value);
        else this.add(value, depth);
      } else if (keys > this.#maxWeight || !this.#wide) break;
    }
    if (keys > this.#maxWeight) this.#wide?.add(object);
    this.#addElements(containers, depth);
  }
}

/** Dates and similar objects define their own JSON. */
export function hasOwnForm(value: object): value is { toJSON(key: string): unknown } {
  return 'toJSON' in value && typeof value.toJSON === 'function';
}

/**
 * Approximate number of characters of a JSON tree when written; a value that occurs twice counts
 * twice. Stops once the length exceeds `maxLength`.
 */
export function jsonLength(root: unknown, maxLength: number): number {
  const open: unknown[] = [root];
  let length = 0;
  while (open.length > 0 && length <= maxLength) {
    const value = open.pop();
    if (typeof value === 'object' && value !== null) length += openMembers(value, open);
    else length += typeof value === 'string' ? value.length + 3 : 5;
  }
  return length;
}

/** Length of the keys; 0 for an array. */
function openMembers(container: object, open: unknown[]): number {
  if (Array.isArray(container)) {
    for (const element of container) open.push(element);
    return 0;
  }
  let length = 0;
  for (const key in container) {
    length += key.length + 4;
    open.push((container as Record<string, unknown>)[key]);
  }
  return length;
}
