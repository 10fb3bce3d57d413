import { assertNever, type Item, type JsonValue } from '@sluice/domain';
import type { EvaluationScope } from './api.ts';
import { extensionNames } from './extension-names.ts';
import type { ItemRead, NodeRead, PathRoot, PlainExpression, ScopeName } from './plain-expression.ts';
import {
  contextOf,
  executionView,
  functionWithoutCall,
  knownRunsOf,
  lastItemsOf,
  notExecuted,
  ReferenceFailure,
  unknownNode,
  workflowView,
} from './scope-reads.ts';

/**
 * The value of a path or literal for one item. Only own properties are read; a step that leads nowhere gives `undefined`.
 * Throws a `ReferenceFailure` for a node that does not exist, did not run, or has no paired item.
 */
export function evaluatePlain(expression: PlainExpression, scope: EvaluationScope, itemIndex: number): JsonValue | undefined {
  if (expression.kind === 'literal') return expression.value as JsonValue | undefined;
  const { root, steps } = expression;
  const start = readRoot(root, scope, itemIndex);
  const value = walk(start, steps) as JsonValue | undefined;
  if (value === undefined) assertNoMethod(start, steps);
  return value;
}

/** A method whose call was forgotten would else be undefined without a word. */
function assertNoMethod(start: unknown, steps: readonly (string | number)[]): void {
  const last = steps.at(-1);
  if (typeof last !== 'string') return;
  const holder = walk(start, steps.slice(0, -1));
  const names = methodNames.get(Array.isArray(holder) ? 'array' : typeof holder);
  if (names?.has(last)) throw new ReferenceFailure(functionWithoutCall);
}

const methodsOf = (prototype: object, extensions: readonly string[]) =>
  new Set([
    ...Object.getOwnPropertyNames(prototype).filter((name) => name !== 'constructor' && name !== 'length'),
    ...extensions,
  ]);

/** What texts, numbers and lists have methods for; those of objects may be names of fields that are not there. */
const methodNames = new Map([
  ['string', methodsOf(String.prototype, extensionNames.string)],
  ['number', methodsOf(Number.prototype, extensionNames.number)],
  ['array', methodsOf(Array.prototype, extensionNames.array)],
]);

/** Follows own properties from a value. Of a string, its characters and `length`. */
export function walk(value: unknown, steps: readonly (string | number)[]): unknown {
  let current = value;
  for (const step of steps) {
    if (typeof current === 'string') current = ownOfString(current, step);
    else if (typeof current === 'object' && current !== null && Object.hasOwn(current, step)) {
      current = (current as Record<string | number, unknown>)[step];
    } else return undefined;
  }
  return current;
}

function ownOfString(text: string, step: string | number): unknown {
  return step === 'length' ? text.length : Number.isInteger(Number(step)) ? text[Number(step)] : undefined;
}

/** Where a path starts, for one item. Throws as `evaluatePlain`. */
export function readRoot(root: PathRoot, scope: EvaluationScope, itemIndex: number): unknown {
  switch (root.kind) {
    case 'scope':
      return readScope(root.name, scope, itemIndex);
    case 'input':
      return root.read === 'item' ? scope.items[itemIndex] : readItems(scope.items, root.read);
    case 'node':
      return readNode(root.node, root.read, scope, itemIndex);
    case 'nodeTable':
      return readNodeTable(root.node, scope, itemIndex);
    default:
      return assertNever(root);
  }
}

function readScope(name: ScopeName, scope: EvaluationScope, itemIndex: number): unknown {
  switch (name) {
    case '$json':
      return scope.items[itemIndex]?.json;
    case '$binary':
      return scope.items[itemIndex]?.binary;
    case '$itemIndex':
      return itemIndex;
    case '$runIndex':
      return scope.runIndex;
    case '$workflow':
      return workflowView(scope);
    case '$execution':
      return executionView(scope);
    case '$vars':
      return scope.vars;
    case '$env':
      return scope.env;
    case '$nodeVersion':
      return scope.node.typeVersion;
    case '$prevNode':
      return scope.previousNode;
    case '$parameter':
      return scope.node.parameters;
    default:
      return assertNever(name);
  }
}

function readItems(items: readonly Item[], read: Exclude<ItemRead, 'item'>): unknown {
  if (read === 'all') return items;
  return read === 'first' ? items[0] : items.at(-1);
}

function readNode(name: string, read: ItemRead | NodeRead, scope: EvaluationScope, itemIndex: number): unknown {
  if (read === 'params') return parametersOf(scope, name);
  if (read === 'context') return contextOf(scope, name);
  const runs = knownRunsOf(scope, name);
  if (read === 'isExecuted') return runs.length > 0;
  if (read !== 'item') return readItems(lastItemsOf(scope, name), read);
  if (runs.length === 0) throw new ReferenceFailure(notExecuted(name));
  const paired = scope.pairedItem(name, itemIndex);
  if ('error' in paired) throw new ReferenceFailure(paired.error);
  return paired.item;
}

function readNodeTable(name: string, scope: EvaluationScope, itemIndex: number): unknown {
  const item = lastItemsOf(scope, name)[itemIndex];
  return {
    json: item?.json,
    data: item?.json,
    binary: item?.binary,
    parameter: parametersOf(scope, name),
    params: parametersOf(scope, name),
    context: contextOf(scope, name),
    runIndex: knownRunsOf(scope, name).length - 1,
  };
}

function parametersOf(scope: EvaluationScope, name: string): unknown {
  const parameters = scope.parametersOf(name);
  if (!parameters) throw new ReferenceFailure(unknownNode(name));
  return parameters;
}

/** A value within text, printed as the language prints it, without calling anything of the value's own. */
export function toText(value: JsonValue | undefined): string {
  if (value === undefined || value === null) return '';
  if (typeof value !== 'object') return String(value);
  return Array.isArray(value) ? value.map(toText).join(',') : '[object Object]';
}
