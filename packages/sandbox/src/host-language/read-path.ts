import type { Item, JsonObject, JsonValue } from '@sluice/domain';
import { extensionNames } from '@sluice/expressions';
import type { EvaluationScope } from '../api.ts';
import { functionWithoutCall } from '../guest/messages.ts';
import { ReferenceFailure } from '../scope/evaluation-scope.ts';
import { itemsAt, type ScopePath } from './parse-path.ts';
import { readRoot } from './read-root.ts';

type Steps = ScopePath['steps'];

/**
 * The value at a path for one item. Only own properties are read; a missing step returns
 * `undefined`. Throws a `ReferenceFailure` for a node that does not exist, did not run, or has no
 * paired item, and for an uncalled method.
 */
export function readPath(
  { root, steps }: ScopePath,
  scope: EvaluationScope,
  itemIndex: number,
  parameters?: ParameterValues,
): JsonValue | undefined {
  let value = rootValue({ root, steps }, scope, itemIndex, parameters);
  for (let at = 0; at < steps.length; at += 1) {
    const step = steps[at] as string | number;
    const next = propertyOf(value, step);
    if (next === undefined && isMethod(value, step, at === steps.length - 1)) throw new ReferenceFailure(functionWithoutCall);
    value = next;
  }
  return itemsAsSeen({ root, steps }, value) as JsonValue | undefined;
}

/** The value of a path, where items have the fields that they have in the guest. */
export function itemsAsSeen(path: ScopePath, value: unknown): unknown {
  const items = itemsAt(path);
  if (items === 'list') return (value as readonly Item[]).map(itemAsSeen);
  return items === 'item' && value !== undefined ? itemAsSeen(value as Item) : value;
}

function itemAsSeen({ json, binary }: Item): Item {
  return binary ? { json, binary } : { json };
}

/** Returns the node's parameters; parameters that are expressions are getters of their values. */
export type ParameterValues = () => JsonObject;

/**
 * `$node["x"]` without a member is data, so all of its members are read. `$parameter` without a
 * member contains the parameters as written.
 */
export function rootValue(
  { root, steps }: ScopePath,
  scope: EvaluationScope,
  itemIndex: number,
  parameters: ParameterValues | undefined,
): unknown {
  if (parameters && root.kind === 'scope' && root.name === '$parameter' && steps.length > 0) return parameters();
  const value = readRoot(root, scope, itemIndex);
  return root.kind === 'nodeTable' && steps.length === 0 ? { ...(value as object) } : value;
}

/** Follows own properties from a value. A string has its characters and `length`. */
export function walk(value: unknown, steps: Steps): unknown {
  return steps.reduce(propertyOf, value);
}

function propertyOf(value: unknown, step: string | number): unknown {
  const hasOwn = typeof value === 'string' || (typeof value === 'object' && value !== null);
  return hasOwn && Object.hasOwn(value as object, step) ? (value as Record<string | number, unknown>)[step] : undefined;
}

/** Without this check, an uncalled method would silently be undefined. */
function isMethod(holder: unknown, step: string | number, isLast: boolean): boolean {
  const kind = Array.isArray(holder) ? 'array' : holder === null ? 'null' : typeof holder;
  return Boolean(languageMethods.get(kind)?.has(step) || (isLast && extensionMethods.get(kind)?.has(step)));
}

const objectMethods = functionsOf(Object.prototype);
/** Methods of values in the language. `constructor` and similar names are rejected earlier. */
export const languageMethods = new Map<string, ReadonlySet<string | number>>([
  ['string', new Set([...functionsOf(String.prototype), ...objectMethods])],
  ['number', new Set([...functionsOf(Number.prototype), ...objectMethods])],
  ['boolean', new Set(objectMethods)],
  ['array', new Set([...functionsOf(Array.prototype), ...objectMethods])],
  ['object', new Set(objectMethods)],
]);
/** Extension methods. For objects, these may be names of absent fields. */
const extensionMethods = new Map<string, ReadonlySet<string | number>>(
  Object.entries(extensionNames).map(([kind, names]) => [kind, new Set<string | number>(names)]),
);

function functionsOf(prototype: object): string[] {
  const descriptors = Object.entries(Object.getOwnPropertyDescriptors(prototype));
  return descriptors.flatMap(([name, { value }]) => (typeof value === 'function' && name !== 'constructor' ? [name] : []));
}
