import type { CallExpression, Expression } from 'acorn';
import { maxDepth } from '../limits.ts';
import { forbiddenNames } from './forbidden-names.ts';

export type ItemRead = (typeof itemReads)[number];
export type NodeRead = (typeof nodeReads)[number];
export type ScopeName = (typeof scopeNames)[number];

const itemReads = ['item', 'first', 'last', 'all'] as const;
const nodeReads = ['isExecuted', 'params', 'context'] as const;

const scopeNames = [
  '$json',
  '$binary',
  '$itemIndex',
  '$runIndex',
  '$workflow',
  '$execution',
  '$vars',
  '$env',
  '$nodeVersion',
  '$prevNode',
  '$parameter',
] as const;

/** Names that nodes define for some of their parameters; see `EvaluationScope.names`. */
const lateNames = new Set(['$response', '$responseItem', '$request', '$pageCount', '$value', '$index', '$parent', '$version']);

/** Where a path starts. */
export type PathRoot =
  | { kind: 'scope'; name: ScopeName }
  /** `$response` */
  | { kind: 'late'; name: string }
  /** `$input.first()` */
  | { kind: 'input'; read: ItemRead }
  /** `$("x").item` */
  | { kind: 'node'; node: string; read: ItemRead | NodeRead }
  /** `$items()`; `$items("x")` reads the first output of that node. */
  | { kind: 'items'; node?: string }
  /** `$node["x"]`, whose `json` is the JSON of the item at the same index. */
  | { kind: 'nodeTable'; node: string };

/** A path into the scope: own properties, read in sequence. */
export interface ScopePath {
  root: PathRoot;
  steps: readonly (string | number)[];
}

/** Converts an expression to a path; `undefined` if it is not a path. */
export function parsePath(node: Expression): ScopePath | undefined {
  const steps: (string | number)[] = [];
  let at = withoutChain(node);
  let root = rootOf(at);
  while (!root) {
    const step = stepOf(at);
    if (!step || steps.length === maxDepth || forbiddenNames.has(String(step.key))) return undefined;
    steps.push(step.key);
    at = step.object;
    root = rootOf(at);
  }
  // Custom data has functions, which only the guest provides.
  const isCustomData = root.kind === 'scope' && root.name === '$execution' && steps.at(-1) === 'customData';
  if (isCustomData) return undefined;
  steps.reverse();
  // The value of another node's parameter may need the guest.
  return root.kind === 'nodeTable' && steps[0] === 'parameter' && steps.length > 1 ? undefined : { root, steps };
}

/**
 * Whether the host reads members whose names are computed: members of data, and elements of lists
 * of items. Other objects have members that only the guest provides.
 */
export function hasComputedMembers({ root }: ScopePath): boolean {
  return root.kind === 'late' || hasItems(root) || isItemJson(root);
}

export function isItemJson(root: PathRoot): boolean {
  return root.kind === 'scope' && root.name === '$json';
}

/** Whether the root is an item or a list of items. */
export function hasItems(root: PathRoot): boolean {
  return isItemList(root) || ((root.kind === 'input' || root.kind === 'node') && itemReads.some((read) => read === root.read));
}

function isItemList(root: PathRoot): boolean {
  return root.kind === 'items' || ((root.kind === 'input' || root.kind === 'node') && root.read === 'all');
}

/** Whether a path leads to a list of items, to an item, or to something else. */
export function itemsAt({ root, steps }: ScopePath): 'list' | 'item' | undefined {
  if (!hasItems(root)) return undefined;
  const isList = isItemList(root);
  if (steps.length === 0) return isList ? 'list' : 'item';
  return isList && steps.length === 1 && typeof steps[0] === 'number' ? 'item' : undefined;
}

/** `.name`, `?.name`, `["name"]`, `?.["name"]`, or `[0]`, with the object on the left. */
export function stepOf(node: Expression): { object: Expression; key: string | number } | undefined {
  if (node.type !== 'MemberExpression' || node.object.type === 'Super') return undefined;
  const { property, computed } = node;
  const key = computed ? keyOf(property as Expression) : property.type === 'Identifier' ? property.name : undefined;
  return key === undefined ? undefined : { object: withoutChain(node.object), key };
}

/** `object.name`, or `object?.name`. */
export interface NamedMember {
  object: Expression;
  name: string;
  optional: boolean;
}

export function namedMember(node: CallExpression['callee']): NamedMember | undefined {
  if (node.type !== 'MemberExpression' || node.computed || node.property.type !== 'Identifier') return undefined;
  const { object, property, optional } = node;
  return object.type === 'Super' ? undefined : { object, name: property.name, optional };
}

function keyOf(node: Expression): string | number | undefined {
  if (node.type === 'Literal') return typeof node.value === 'string' || typeof node.value === 'number' ? node.value : undefined;
  return node.type === 'TemplateLiteral' && node.expressions.length === 0
    ? (node.quasis[0]?.value.cooked ?? undefined)
    : undefined;
}

function rootOf(node: Expression): PathRoot | undefined {
  if (node.type === 'Identifier') {
    if (lateNames.has(node.name)) return { kind: 'late', name: node.name };
    const name = scopeNames.find((candidate) => candidate === node.name);
    return name && { kind: 'scope', name };
  }
  if (node.type === 'CallExpression') {
    const items = itemsOf(node);
    return items ?? (node.arguments.length === 0 && !node.optional ? readOf(node.callee, true) : undefined);
  }
  return node.type === 'MemberExpression' ? (nodeTableOf(node) ?? readOf(node, false)) : undefined;
}

function nodeTableOf(node: Expression): PathRoot | undefined {
  const step = stepOf(node);
  const isTable = step?.object.type === 'Identifier' && step.object.name === '$node';
  return isTable && typeof step.key === 'string' ? { kind: 'nodeTable', node: step.key } : undefined;
}

/**
 * `.item`, `.first()`, `.last()` or `.all()` of `$input` or of a node, or another property of a
 * node.
 */
function readOf(node: CallExpression['callee'], isCalled: boolean): PathRoot | undefined {
  const member = namedMember(node);
  if (!member) return undefined;
  const { name } = member;
  const object = withoutChain(member.object);
  const item = itemReads.find((read) => read === name && (read !== 'item') === isCalled);
  if (object.type === 'Identifier' && object.name === '$input') return item && { kind: 'input', read: item };
  const called = nameInCall(object);
  const read = item ?? (isCalled ? undefined : nodeReads.find((candidate) => candidate === name));
  return called === undefined || read === undefined ? undefined : { kind: 'node', node: called, read };
}

/** The name in `$("name")`. */
function nameInCall(node: Expression, callee = '$'): string | undefined {
  if (node.type !== 'CallExpression' || node.optional) return undefined;
  const [argument, ...more] = node.arguments;
  const isNodeCall = node.callee.type === 'Identifier' && node.callee.name === callee && more.length === 0;
  if (!isNodeCall || !argument || argument.type === 'SpreadElement') return undefined;
  const name = keyOf(argument);
  return typeof name === 'string' ? name : undefined;
}

function itemsOf(node: CallExpression): PathRoot | undefined {
  if (node.callee.type !== 'Identifier' || node.callee.name !== '$items' || node.optional) return undefined;
  if (node.arguments.length === 0) return { kind: 'items' };
  const called = nameInCall(node, '$items');
  return called === undefined ? undefined : { kind: 'items', node: called };
}

/** Optional chains are read like other chains: a step on undefined is undefined in either case. */
export function withoutChain(node: Expression): Expression {
  let at = node;
  while (at.type === 'ChainExpression' || at.type === 'ParenthesizedExpression') at = at.expression;
  return at;
}
