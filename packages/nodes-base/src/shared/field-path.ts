import { isJsonObject, type JsonObject, type JsonValue, NodeOperationError, ownProperty } from '@sluice/node-sdk';

/** Steps from an item's JSON to a field in it. */
export type FieldPath = readonly string[];

/**
 * Gaps in a list are filled with nulls up to this index; a larger one is a mistake or a memory
 * attack.
 */
const maxListGap = 1_000;

/** A step has an empty name before a leading dot, between two dots, and after a trailing dot. */
const step = /\[(?:"([^"]*)"|'([^']*)'|([^[\]]*))\]|([^.[\]]+)|^(?=\.)|(?<=\.)(?=\.|$)/g;

/** Parses `a.b[0]["c d"]` into steps. Without dot notation, the whole text is one step. */
export function parseFieldPath(text: string, dotNotation = true): FieldPath {
  if (!dotNotation || !/[.[]/.test(text)) return [text];
  const steps = [...text.matchAll(step)].map((match) => match[1] ?? match[2] ?? match[3] ?? match[4] ?? '');
  return steps.length > 0 ? steps : [text];
}

/** The path from `root`. A field named `a.b` takes precedence over a field `b` within `a`. */
function pathFrom(root: JsonValue | undefined, path: FieldPath): FieldPath {
  if (path.length < 2 || typeof root !== 'object' || root === null) return path;
  const name = path.join('.');
  return Object.hasOwn(root, name) ? [name] : path;
}

/** The value at a path of own properties; `undefined` if there is none. */
export function readField(root: JsonValue, path: FieldPath): JsonValue | undefined {
  let value: JsonValue | undefined = root;
  for (const key of pathFrom(root, path)) {
    if (typeof value !== 'object' || value === null) return undefined;
    value = ownProperty(value as JsonObject, key);
  }
  return value;
}

/**
 * A copy of `root` with `value` at `path`. Containers along the path are copied, so the source item
 * does not change. Missing ones are created: lists for numeric steps, objects for others.
 */
export function withField(root: JsonObject, path: FieldPath, value: JsonValue): JsonObject {
  return replace(root, pathFrom(root, path), 0, value) as JsonObject;
}

/**
 * Like `withField`. `undefined` creates the containers along the path, then omits the field of an
 * object or sets null in a list.
 */
export function withValue(root: JsonObject, path: FieldPath, value: JsonValue | undefined): JsonObject {
  return value === undefined ? withoutField(withField(root, path, null), path) : withField(root, path, value);
}

function replace(current: JsonValue | undefined, path: FieldPath, depth: number, value: JsonValue): JsonValue {
  const key = path[depth];
  if (key === undefined) return value;
  const copy = containerFor(current, key, depth);
  const child = replace(ownProperty(copy as JsonObject, key), path, depth + 1, value);
  if (Array.isArray(copy)) setElement(copy, Number(key), child);
  else setOwn(copy, key, child);
  return copy;
}

function containerFor(current: JsonValue | undefined, key: string, depth: number): JsonValue[] | JsonObject {
  const isIndex = /^\d{1,9}$/.test(key);
  if (Array.isArray(current) && isIndex) return [...current];
  if (isJsonObject(current)) return { ...current };
  return isIndex && depth > 0 ? [] : {};
}

function setElement(list: JsonValue[], index: number, value: JsonValue): void {
  if (index > list.length + maxListGap)
    throw new NodeOperationError(`the index ${index} is far beyond the end of the list`, {
      description: 'Check the index in the path of the field',
    });
  while (list.length < index) list.push(null);
  list[index] = value;
}

/** Defines an own property: an assignment to `__proto__` would change the prototype instead. */
export function setOwn(object: JsonObject, key: string, value: JsonValue): void {
  if (key === '__proto__') Object.defineProperty(object, key, { value, enumerable: true, configurable: true, writable: true });
  else object[key] = value;
}

/** `root` without the field at `path`. */
export function withoutField(root: JsonObject, path: FieldPath): JsonObject {
  const [key, ...rest] = pathFrom(root, path);
  if (key === undefined || !Object.hasOwn(root, key)) return root;
  const copy = { ...root };
  const child = copy[key];
  if (rest.length === 0) delete copy[key];
  else if (Array.isArray(child)) setOwn(copy, key, withoutElement(child, rest));
  else if (isJsonObject(child)) setOwn(copy, key, withoutField(child, rest));
  return copy;
}

/** A removed element becomes null, so that the others keep their positions. */
function withoutElement(list: JsonValue[], [key = '', ...rest]: FieldPath): JsonValue[] {
  return list.map((element, index) => {
    if (String(index) !== key) return element;
    if (rest.length === 0) return null;
    return isJsonObject(element) ? withoutField(element, rest) : element;
  });
}
