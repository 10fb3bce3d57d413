import { JsonText } from './json.ts';

/** Characters that weigh as much as one value. */
const charactersPerValue = 64;

/**
 * Characters of a `JsonText` up to which it is parsed and written with the values around it. A longer one weighs
 * more than any limit, so that `stringifyJson` copies it.
 */
const maxParsedText = 1_024;
/** Characters of a shorter `JsonText` that weigh as much as one value: few, because its values may be short. */
const charactersPerParsedValue = 8;

/**
 * Number of values in a JSON tree; a long string counts as several. Stops once the weight exceeds
 * `most`, so the cost is proportional to `most`, except that an object's keys are listed at once.
 *
 * @param wide collects objects whose keys alone exceed `most`. Their keys are not listed again, so
 * use the set with a single `most`.
 */
export function jsonWeight(root: unknown, most: number, wide?: Set<object>): number {
  const open: unknown[] = [root];
  let weight = 0;
  while (open.length > 0 && weight <= most) {
    const value = open.pop();
    weight += 1;
    if (typeof value === 'string') weight += value.length / charactersPerValue;
    else if (typeof value === 'object' && value !== null) weight += weightOfMembers(value, { open, most, wide });
  }
  return weight;
}

/** State of `jsonWeight`. */
interface Weighing {
  open: unknown[];
  most: number;
  wide: Set<object> | undefined;
}

/** Weight of the keys, or more than `most` if the members alone exceed it. */
function weightOfMembers(container: object, { open, most, wide }: Weighing): number {
  if (container instanceof JsonText) {
    const { length } = container.text;
    return length > maxParsedText ? most + 1 : length / charactersPerParsedValue;
  }
  if (Array.isArray(container) && container.length > most) return container.length;
  if (wide?.has(container)) return most + 1;
  const added = addMembers(container, open, most);
  if (added > most) wide?.add(container);
  return added;
}

/** Weight of the keys; 0 for an array. */
function addMembers(container: object, open: unknown[], most: number): number {
  if (Array.isArray(container)) {
    for (const element of container) open.push(element);
    return 0;
  }
  let weight = 0;
  for (const key in container) {
    weight += 1 + key.length / charactersPerValue;
    if (weight > most) break;
    open.push((container as Record<string, unknown>)[key]);
  }
  return weight;
}

/**
 * Approximate number of characters of a JSON tree when written; a value that occurs twice counts
 * twice. Stops once the length exceeds `most`.
 */
export function jsonLength(root: unknown, most: number): number {
  const open: unknown[] = [root];
  let length = 0;
  while (open.length > 0 && length <= most) {
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
