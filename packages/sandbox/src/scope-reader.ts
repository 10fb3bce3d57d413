import type { JsonValue } from '@sluice/domain';
import { BeyondHost, type HostBudget, jsonNumber } from '@sluice/expressions';
import type { EvaluationScope } from './api.ts';
import { extensionNames } from './extension-names.ts';
import type { ScopePath } from './scope-path.ts';
import { functionWithoutCall, ReferenceFailure } from './scope-reads.ts';
import { readRoot } from './scope-roots.ts';

type Steps = ScopePath['steps'];

/**
 * The value at a path for one item. Only own properties are read; a step that leads nowhere gives `undefined`. Throws a
 * `ReferenceFailure` for a node that does not exist, did not run, or has no paired item, and for a method that is not called.
 */
export function readPath({ root, steps }: ScopePath, scope: EvaluationScope, itemIndex: number): JsonValue | undefined {
  let value = readRoot(root, scope, itemIndex);
  for (let at = 0; at < steps.length; at += 1) {
    const step = steps[at] as string | number;
    const next = own(value, step);
    if (next === undefined && isMethod(value, step, at === steps.length - 1)) throw new ReferenceFailure(functionWithoutCall);
    value = next;
  }
  return value as JsonValue | undefined;
}

/** Follows own properties from a value. A string has its characters and `length`. */
export function walk(value: unknown, steps: Steps): unknown {
  return steps.reduce(own, value);
}

function own(value: unknown, step: string | number): unknown {
  const hasOwn = typeof value === 'string' || (typeof value === 'object' && value !== null);
  return hasOwn && Object.hasOwn(value as object, step) ? (value as Record<string | number, unknown>)[step] : undefined;
}

/** A method whose call was forgotten would otherwise be undefined without an error. */
function isMethod(holder: unknown, step: string | number, isLast: boolean): boolean {
  const kind = Array.isArray(holder) ? 'array' : holder === null ? 'null' : typeof holder;
  return Boolean(languageMethods.get(kind)?.has(step) || (isLast && ownMethods.get(kind)?.has(step)));
}

const objectMethods = functionsOf(Object.prototype);
/** Methods that values have in the language. `constructor` and its like are refused before. */
const languageMethods = new Map<string, ReadonlySet<string | number>>([
  ['string', new Set([...functionsOf(String.prototype), ...objectMethods])],
  ['number', new Set([...functionsOf(Number.prototype), ...objectMethods])],
  ['boolean', new Set(objectMethods)],
  ['array', new Set([...functionsOf(Array.prototype), ...objectMethods])],
  ['object', new Set(objectMethods)],
]);
/** Methods of expressions. For objects these may be names of fields that are absent. */
const ownMethods = new Map<string, ReadonlySet<string | number>>(
  Object.entries(extensionNames).map(([kind, names]) => [kind, new Set<string | number>(names)]),
);

function functionsOf(prototype: object): string[] {
  const descriptors = Object.entries(Object.getOwnPropertyDescriptors(prototype));
  return descriptors.flatMap(([name, { value }]) => (typeof value === 'function' && name !== 'constructor' ? [name] : []));
}

/**
 * Reads a path that is an operand. `BeyondHost` where the guest may know more than the host: a read of undefined ends the whole
 * expression there, and values have members that are not their fields.
 */
function readOperand(path: ScopePath, scope: EvaluationScope, itemIndex: number): JsonValue | undefined {
  const { root, steps } = path;
  let value = readRoot(root, scope, itemIndex);
  for (const step of steps) value = memberOf(value, step);
  const isItemField = root.kind === 'scope' && root.name === '$json' && steps.length > 0;
  if (value === undefined && !isItemField) throw BeyondHost.instance;
  return jsonNumber(value as JsonValue | undefined);
}

/** A field, or `undefined` where an object has none of that name. */
function memberOf(holder: unknown, step: string | number): unknown {
  if (typeof holder === 'string' && step === 'length') return holder.length;
  if (typeof holder !== 'object' || holder === null) throw BeyondHost.instance;
  if (Object.hasOwn(holder, step)) return (holder as Record<string | number, unknown>)[step];
  if (Array.isArray(holder) || languageMethods.get('object')?.has(step)) throw BeyondHost.instance;
  return undefined;
}

/** Reads operands of one scope, item after item, on one budget. */
export class OperandReader {
  itemIndex = 0;
  readonly #scope: EvaluationScope;
  readonly #budget: HostBudget;

  constructor(scope: EvaluationScope, budget: HostBudget) {
    this.#scope = scope;
    this.#budget = budget;
  }

  readonly read = (path: ScopePath): JsonValue | undefined => {
    this.#budget.spendWork(path.steps.length);
    return readOperand(path, this.#scope, this.itemIndex);
  };
}
