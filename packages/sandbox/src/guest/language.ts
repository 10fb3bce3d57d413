import type { GuestItem } from '../protocol.ts';
import { define } from './define.ts';
import { ExpressionFailure } from './failures.ts';
import type { GuestData } from './guest-data.ts';
import { jmespath } from './jmespath.ts';
import { average, greatest, least, numberList, zip } from './root-functions.ts';

/** The current item of `$json` and similar names. */
export interface Cursor {
  itemIndex: number;
}

/** Data that the language's functions read. */
export interface Language {
  data: GuestData;
  cursor: Cursor;
}

/** Captured before `refuseInternals`. */
const { getPrototypeOf } = Object;

const itemNames = globalThis as {
  $json?: unknown;
  $data?: unknown;
  $binary?: unknown;
  $itemIndex?: number;
  $position?: number;
  $thisItem?: unknown;
  $thisItemIndex?: number;
};

/** Defines the language's functions. They read the data when they are called. */
export function defineLanguage({ data, cursor }: Language): void {
  const node = nodeTable(data, () => cursor.itemIndex);
  defineAll({
    $: (name: unknown) => nodeReference(data, cursor, String(name)),
    $node: node,
    $items: (name?: unknown, output = 0, run?: number) =>
      name === undefined ? data.inputItems() : data.items(String(name), output, run),
    $item: (index: unknown) => itemReference(data, Number(index)),
    $input: inputReference(data, cursor),
    $if: (condition: unknown, ...[whenTrue, ...whenFalse]: unknown[]) =>
      condition ? whenTrue : whenFalse.length > 0 ? whenFalse[0] : false,
    $ifEmpty: ifEmpty,
    $min: (...values: unknown[]) => least(values.flat() as number[]),
    $max: (...values: unknown[]) => greatest(values.flat() as number[]),
    $average: (...values: unknown[]) => average(values.flat()),
    $not: (value: unknown) => !value,
    numberList,
    zip,
    $jmespath: jmespath,
    $jmesPath: jmespath,
  });
  refuseNames({
    $secrets: 'secrets are for credentials alone: expressions and code cannot read them',
    $credentials: 'credentials cannot be read by expressions and code',
    $evaluateExpression: '$evaluateExpression() is not available: text is never evaluated as an expression',
  });
}

/**
 * Defines the names whose values are the same for all items of the call. `enterItem` sets the names
 * of an item.
 */
export function defineValues(data: GuestData): void {
  const { scope } = data;
  defineAll(scope.names);
  defineAll({
    $prevNode: scope.previousNode ?? undefined,
    $parameter: scope.parameters,
    $rawParameter: scope.parameters,
    $nodeVersion: scope.nodeVersion ?? undefined,
    $nodeId: scope.nodeId ?? undefined,
    $runIndex: scope.runIndex,
    $thisRunIndex: scope.runIndex,
    $mode: scope.mode,
    $workflow: scope.workflow,
    $execution: executionOf(data),
    $executionId: scope.execution.id,
    $resumeWebhookUrl: scope.execution.resumeUrl,
    $vars: scope.vars,
    $env: scope.env,
    $fromAI: fromAi(scope.names),
  });
}

/** Arguments of a tool, written by a model: the value of a key, or its default. */
function fromAi({ $fromAI: given }: Record<string, unknown>): (...args: unknown[]) => unknown {
  if (given === undefined) return () => refuse('$fromAI() has a value only in tools that an AI agent calls');
  const values = given as Record<string, unknown>;
  return (key, _description, _type, fallback) => (Object.hasOwn(values, String(key)) ? values[String(key)] : fallback);
}

function refuse(message: string): never {
  throw new ExpressionFailure(message);
}

/** Defines names that throw an explanation when read. */
function refuseNames(reasons: Record<string, string>): void {
  for (const name of Object.keys(reasons)) {
    Object.defineProperty(globalThis, name, { get: () => refuse(reasons[name] as string), configurable: true });
  }
}

/** `customData` is hidden when the object is printed, because it is not plain data. */
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

/** Sets the names of the current item. */
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
  return { $json: item.json, $binary: item.binary ?? {}, $itemIndex: index, $node: nodeTable(data, () => index) };
}

function isEmpty(value: unknown): boolean {
  if (value === undefined || value === null || value === '') return true;
  if (Array.isArray(value)) return value.length === 0;
  return typeof value === 'object' && getPrototypeOf(value) === Object.prototype && Object.keys(value).length === 0;
}

function ifEmpty(...args: unknown[]): unknown {
  if (args.length !== 2) throw new ExpressionFailure('$ifEmpty() takes a value and what to use in its place');
  return isEmpty(args[0]) ? args[1] : args[0];
}

function itemMatching(data: GuestData, name: string, itemIndex: number | undefined): unknown {
  if (itemIndex === undefined) throw new ExpressionFailure('itemMatching() takes the index of an item');
  return data.pairedItem(name, itemIndex);
}
