import { isJsonObject, type JsonObject, type JsonValue, NodeOperationError, ownProperty } from '@sluice/node-sdk';

/**
 * Steps from an item's JSON to a field in it. `name` is the text with brackets that they were
 * parsed from.
 */
export type FieldPath = readonly string[] & { readonly name?: string };

/**
 * Gaps in a list are filled with up to this many nulls, and gaps in all of an item's lists with ten
 * times as many; a larger gap is a mistake or a memory attack.
 */
const maxListGap = 1_000;

/** A step has an empty name before a leading dot, between two dots, and after a trailing dot. */
const step = /\[(?:"([^"]*)"|'([^']*)'|([^[\]]*))\]|([^.[\]]+)|^(?=\.)|(?<=\.)(?=\.|$)/g;

/** Parses `a.b[0]["c d"]` into steps. Without dot notation, the whole text is one step. */
export function parseFieldPath(text: string, dotNotation = true): FieldPath {
  if (!dotNotation || !/[.[]/.test(text)) return [text];
  const steps = [...text.matchAll(step)].map((match) => match[1] ?? match[2] ?? match[3] ?? match[4] ?? '');
  if (steps.length === 0) return [text];
  return text.includes('[') ? Object.defineProperty(steps, 'name', { value: text }) : steps;
}

/**
 * The path from `root`. A field named `a.b` takes precedence over a field `b` within `a`, and a
 * field named `Amount [EUR]`, as in a spreadsheet, over a field within `Amount`.
 */
function pathFrom(root: JsonValue | undefined, path: FieldPath): FieldPath {
  if ((path.length < 2 && path.name === undefined) || typeof root !== 'object' || root === null) return path;
  const name = path.name ?? path.join('.');
  return Object.hasOwn(root, name) ? [name] : path;
}

/** The value at a path of own properties; `undefined` if there is no value. */
export function readField(root: JsonValue, path: FieldPath): JsonValue | undefined {
  return readSteps(root, pathFrom(root, path));
}

function readSteps(root: JsonValue, steps: FieldPath): JsonValue | undefined {
  let value: JsonValue | undefined = root;
  for (const key of steps) {
    if (typeof value !== 'object' || value === null) return undefined;
    value = ownProperty(value as JsonObject, key);
  }
  return value;
}

/**
 * Edits the fields of a copy. Each container on the path of an edit is copied at most once, so many
 * edits take linear time, and the source does not change.
 */
export class FieldEditor {
  #json: JsonObject;
  #isCopy = false;
  /** Copies of what the object contains: only copies may change. */
  #copies: Set<object> | undefined;
  #nulls = 0;

  constructor(source: JsonObject) {
    this.#json = source;
  }

  /** The edited copy; the source itself if no edit changed it. */
  get json(): JsonObject {
    return this.#json;
  }

  /**
   * Writes `value` at `path`. Missing containers are created: lists for numeric steps, objects for
   * others. `undefined` creates the containers along the path, then omits the field of an object or
   * sets null in a list.
   */
  set(path: FieldPath, value: JsonValue | undefined): this {
    const steps = pathFrom(this.#json, path);
    let container: Container = this.#root();
    for (const [depth, key] of steps.entries()) {
      const next = steps[depth + 1];
      if (Array.isArray(container)) this.#fillGap(container, Number(key));
      if (next === undefined) write(container, key, value);
      else container = this.#child(container, key, next);
    }
    return this;
  }

  /**
   * Removes the field at `path`, if it exists. A removed list element becomes null, so that the
   * others keep their positions.
   */
  remove(path: FieldPath): this {
    const steps = pathFrom(this.#json, path);
    const parent = readSteps(this.#json, steps.slice(0, -1));
    const key = steps.at(-1) ?? '';
    if (typeof parent !== 'object' || parent === null || !Object.hasOwn(parent, key)) return this;
    return Array.isArray(parent) && key === 'length' ? this : this.set(path, undefined);
  }

  #fillGap(list: JsonValue[], index: number): void {
    const gap = Math.max(0, index - list.length);
    this.#nulls += gap;
    if (gap > maxListGap || this.#nulls > 10 * maxListGap)
      throw new NodeOperationError(`the index ${index} is far beyond the end of the list`, {
        description: 'Check the index in the path of the field',
      });
    while (list.length < index) list.push(null);
  }

  #root(): JsonObject {
    if (!this.#isCopy) this.#json = { ...this.#json };
    this.#isCopy = true;
    return this.#json;
  }

  /**
   * The container at `key` for the step `next`: a mutable copy that replaces the existing
   * container.
   */
  #child(container: Container, key: string, next: string): Container {
    const current = ownProperty(container as JsonObject, key);
    const child = containerFor(current, next);
    if (child === current && this.#copies?.has(child)) return child;
    const copy = Array.isArray(child) ? [...child] : { ...child };
    this.#copies = (this.#copies ?? new Set()).add(copy);
    write(container, key, copy);
    return copy;
  }
}

/** `root` with `value` at `path`, see `FieldEditor.set`. */
export function withField(root: JsonObject, path: FieldPath, value: JsonValue | undefined): JsonObject {
  return new FieldEditor(root).set(path, value).json;
}

/** `root` without the field at `path`, see `FieldEditor.remove`. */
export function withoutField(root: JsonObject, path: FieldPath): JsonObject {
  return new FieldEditor(root).remove(path).json;
}

type Container = JsonValue[] | JsonObject;

/** `current` if it can contain the step `key`, else a new container. */
function containerFor(current: JsonValue | undefined, key: string): Container {
  const isIndex = /^\d{1,9}$/.test(key);
  if (isJsonObject(current) || (Array.isArray(current) && isIndex)) return current;
  return isIndex ? [] : {};
}

function write(container: Container, key: string, value: JsonValue | undefined): void {
  if (Array.isArray(container)) container[Number(key)] = value ?? null;
  else if (value === undefined) delete container[key];
  else setOwn(container, key, value);
}

/** Defines an own property: an assignment to `__proto__` would change the prototype instead. */
export function setOwn(object: JsonObject, key: string, value: JsonValue): void {
  if (key === '__proto__') Object.defineProperty(object, key, { value, enumerable: true, configurable: true, writable: true });
  else object[key] = value;
}
