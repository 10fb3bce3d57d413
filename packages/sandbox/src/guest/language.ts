import type { GuestItem } from '../protocol.ts';
import { define, defineLazily } from './define.ts';
import { ExpressionFailure } from './failures.ts';
import type { GuestData } from './guest-data.ts';
import { jmespath } from './jmespath.ts';
import { average, greatest, least, numberList, zip } from './root-functions.ts';

/** The position of the current item, which `$json` and similar names read. */
export interface Cursor {
  itemIndex: number;
}

/** State of the expression language: of the `$` names of expressions and code. */
export interface Language {
  data: GuestData;
  cursor: Cursor;
}

/** Captured at startup: expressions cannot read `Object.getPrototypeOf` after `refuseInternals`. */
const { getPrototypeOf } = Object;

/**
 * Defines the names that are the same in all calls: they are part of the snapshots from which calls
 * start. The functions read the data of the call when they are called.
 */
export function defineLanguage({ data, cursor }: Language): void {
  const node = nodeTable(data, () => cursor.itemIndex);
  defineAll({
    $: (name: unknown) => nodeReference(data, cursor, String(name)),
    $node: node,
    $items: (name?: unknown, output = 0, run?: number) =>
      name === undefined ? data.inputItems() : data.items(String(name), output, run),
    $item: (index: unknown) => itemReference(data, Number(index)),
    $input: inputReference(data, cursor),
    $if: ifElse,
    $ifEmpty: ifEmpty,
    $min: (...values: unknown[]) => least(values.flat() as number[]),
    $max: (...values: unknown[]) => greatest(values.flat() as number[]),
    $average: (...values: unknown[]) => average(values.flat()),
    $not: (value: unknown) => !value,
    numberList,
    zip,
    $jmespath: jmespath,
    $jmesPath: jmespath,
    $fromAI: fromAi({}),
  });
  defineValues(data);
  refuseNames({
    $secrets: 'expressions and code cannot read secrets: only credentials can',
    $credentials: 'expressions and code cannot read credentials',
    $evaluateExpression: '$evaluateExpression() is not available: text is never evaluated as an expression',
  });
}

/**
 * Defines the names whose values are the same for all items of a call. They are read when they are
 * used.
 */
function defineValues(data: GuestData): void {
  let execution: unknown;
  defineLazily({
    $prevNode: () => data.scope.previousNode ?? undefined,
    $parameter: () => data.scope.parameters,
    $rawParameter: () => data.scope.parameters,
    $nodeVersion: () => data.scope.nodeVersion ?? undefined,
    $nodeId: () => data.scope.nodeId ?? undefined,
    $runIndex: () => data.scope.runIndex,
    $thisRunIndex: () => data.scope.runIndex,
    $mode: () => data.scope.mode,
    $workflow: () => data.scope.workflow,
    $execution: () => {
      execution ??= executionOf(data);
      return execution;
    },
    $executionId: () => data.scope.execution.id,
    $resumeWebhookUrl: () => data.scope.execution.resumeUrl,
    $vars: () => data.scope.vars,
    $env: () => data.scope.env,
  });
}

/** Defines the names that only this call has. */
export function defineNames({ scope: { names } }: GuestData): void {
  defineAll(names);
  if (Object.hasOwn(names, '$fromAI')) defineAll({ $fromAI: fromAi(names) });
}

/** Globals that `enterItem` sets. */
const itemNames = globalThis as {
  $json?: unknown;
  $data?: unknown;
  $binary?: unknown;
  $itemIndex?: number;
  $position?: number;
  $thisItem?: unknown;
  $thisItemIndex?: number;
};

/** Makes an item the current one: sets the names whose values differ by item. */
export function enterItem(data: GuestData, cursor: Cursor, itemIndex: number): void {
  cursor.itemIndex = itemIndex;
  const item = data.inputItem(itemIndex);
  itemNames.$json = item?.json;
  itemNames.$data = item?.json;
  itemNames.$binary = item?.binary ?? {};
  itemNames.$itemIndex = itemIndex;
  itemNames.$position = itemIndex;
  itemNames.$thisItem = item;
  itemNames.$thisItemIndex = itemIndex;
}

/** Defines writable globals: user text may reuse the names. */
export function defineAll(names: Record<string, unknown>): void {
  define(globalThis, names);
}

/** Defines names that throw an explanation when read. */
function refuseNames(reasons: Record<string, string>): void {
  for (const name of Object.keys(reasons)) {
    Object.defineProperty(globalThis, name, { get: () => refuse(reasons[name] as string), configurable: true });
  }
}

/** `$fromAI()`: the argument that a model wrote for a tool, by its key, or the default. */
function fromAi({ $fromAI: args }: Record<string, unknown>): (...args: unknown[]) => unknown {
  if (args === undefined) return () => refuse('$fromAI() has a value only in tools that an AI agent calls');
  const values = args as Record<string, unknown>;
  return (key, _description, _type, fallback) => (Object.hasOwn(values, String(key)) ? values[String(key)] : fallback);
}

/** `$execution`. Its `customData` is not enumerable, because it is not plain data. */
function executionOf({ scope, customData }: GuestData): unknown {
  const execution = { ...scope.execution };
  define(execution, {
    customData: {
      get: (key: unknown) => customData.get(key),
      getAll: () => customData.getAll(),
      set: (key: unknown, value: unknown) => customData.set(key, value),
      setAll: (values: unknown) => customData.setAll(values),
    },
  });
  return execution;
}

/** `$if()`. Without a third argument, the value of a false condition is `false`. */
function ifElse(condition: unknown, ...[whenTrue, ...whenFalse]: unknown[]): unknown {
  if (condition) return whenTrue;
  return whenFalse.length > 0 ? whenFalse[0] : false;
}

function ifEmpty(...args: unknown[]): unknown {
  if (args.length !== 2) refuse('$ifEmpty() takes two arguments: a value and its replacement');
  return isEmpty(args[0]) ? args[1] : args[0];
}

function isEmpty(value: unknown): boolean {
  if (value === undefined || value === null || value === '') return true;
  if (Array.isArray(value)) return value.length === 0;
  return typeof value === 'object' && getPrototypeOf(value) === Object.prototype && Object.keys(value).length === 0;
}

/** `$input`. */
function inputReference(data: GuestData, cursor: Cursor) {
  return {
    get item() {
      return data.inputItem(cursor.itemIndex);
    },
    first: () => data.inputItem(0),
    last: () => data.inputItem(data.scope.items.length - 1),
    all: () => data.inputItems(),
    /** The parameters of the node that the items come from. */
    get params() {
      const { previousNode } = data.scope;
      return previousNode ? data.parameters(previousNode.name) : undefined;
    },
    get context() {
      return data.context(data.scope.nodeName);
    },
  };
}

/** `$("x")`. Output and run default to the path from that node to this one and to the last run. */
function nodeReference(data: GuestData, cursor: Cursor, name: string) {
  const items = (output?: number, run?: number): GuestItem[] => data.items(name, output, run);
  return {
    get item() {
      return data.pairedItem(name, cursor.itemIndex);
    },
    pairedItem: (itemIndex: number = cursor.itemIndex) => data.pairedItem(name, itemIndex),
    itemMatching: (itemIndex?: number) => itemMatching(data, name, itemIndex),
    first: (output?: number, run?: number) => items(output, run)[0],
    last: (output?: number, run?: number) => items(output, run).at(-1),
    all: items,
    get isExecuted() {
      return data.runCount(name) > 0;
    },
    get params() {
      return data.parameters(name);
    },
    get context() {
      return data.context(name);
    },
    get runIndex() {
      return data.runCount(name) - 1;
    },
  };
}

function itemMatching(data: GuestData, name: string, itemIndex: number | undefined): unknown {
  if (itemIndex === undefined) refuse('itemMatching() takes an argument: the index of an item');
  return data.pairedItem(name, itemIndex);
}

/** `$node["x"]`: the item of that node at the same index. */
function nodeTable(data: GuestData, itemIndex: () => number): unknown {
  return new Proxy(Object.create(null), {
    get: (_target, name) => (typeof name === 'string' ? nodeTableEntry(data, itemIndex, name) : undefined),
  });
}

function nodeTableEntry(data: GuestData, itemIndex: () => number, name: string) {
  const item = () => data.items(name)[itemIndex()];
  return {
    get json() {
      return item()?.json;
    },
    get data() {
      return item()?.json;
    },
    get binary() {
      return item()?.binary;
    },
    get parameter() {
      return data.parameterView(name);
    },
    get params() {
      return data.parameters(name);
    },
    get context() {
      return data.context(name);
    },
    get runIndex() {
      return data.runCount(name) - 1;
    },
  };
}

/** `$item(0)`: the language at another item index. */
function itemReference(data: GuestData, index: number) {
  const item = data.inputItem(index) ?? refuse(`there is no item ${index}`);
  return {
    $json: item.json,
    $binary: item.binary ?? {},
    $input: inputReference(data, { itemIndex: index }),
    $itemIndex: index,
    $node: nodeTable(data, () => index),
  };
}

function refuse(message: string): never {
  throw new ExpressionFailure(message);
}
