import type { Completion } from '@codemirror/autocomplete';
import type { SyntaxNode } from '@lezer/common';
import { extensionNames } from '@sluice/node-sdk/display';
import { inputNames, itemNames, type Name, nodeNames, rootNames, valueNames } from './expression-names.ts';

/** The data that completion offers. */
export interface ExpressionData {
  /** JSON of the first item that reaches the node; `undefined` if unknown. */
  item: unknown;
  /** Nodes that an expression can refer to, with the JSON of their first item. */
  nodes: readonly { name: string; item: unknown }[];
}

export interface Completions {
  /** Start of the text that a choice replaces. */
  from: number;
  options: Completion[];
}

interface Context {
  /** Text of the expression. */
  read(from: number, to: number): string;
  data: ExpressionData;
}

/** The part of an expression whose members are completed. */
type Target =
  | { kind: 'json'; value: unknown }
  | { kind: 'item' | 'input' | 'node'; json: unknown }
  | { kind: 'nodes' }
  | { kind: 'names'; names: readonly Name[] };

/** Authors use the first names most often. */
const rootOptions = rootNames.map((name, index) => ({ ...toOption(name), boost: rootNames.length - index }));

/** Maximum number of fields offered. */
const maxFields = 500;
const maxDetail = 40;

/**
 * Names for the end of an expression: `node` is the syntax node that ends at `position`. Follows
 * paths of members through the data; nothing is evaluated.
 */
export function completeExpression(node: SyntaxNode, position: number, context: Context): Completions | undefined {
  switch (node.name) {
    case '.':
    case '?.':
    case 'PropertyName':
      return membersAt(node, position, context);
    case 'String':
      return nodesIn(node, context);
    case 'VariableName': {
      const nodes = context.data.nodes.map(({ name }) => ({ label: `$(${JSON.stringify(name)})`, detail: 'another node' }));
      return { from: node.from, options: [...rootOptions, ...nodes] };
    }
    default:
      return undefined;
  }
}

/** Members at a dot, or at the start of their name. */
function membersAt(node: SyntaxNode, position: number, context: Context): Completions | undefined {
  const { parent } = node;
  const object = parent?.name === 'MemberExpression' ? parent.firstChild : null;
  const target = object && targetOf(object, context);
  if (!target) return undefined;
  const [from, dot] = node.name === 'PropertyName' ? [node.from, node.prevSibling] : [position, node];
  return { from, options: optionsOf(target, dot?.name === '.' ? from - dot.from : 0) };
}

/** Names of nodes, in the text of `$("…")`. */
function nodesIn({ from, parent: list }: SyntaxNode, { read, data }: Context): Completions | undefined {
  const call = list?.name === 'ArgList' ? list.parent : null;
  if (textOf(call?.firstChild, read) !== '$') return undefined;
  const isSingle = read(from, from + 1) === "'";
  const inner = (name: string) => JSON.stringify(name).slice(1, -1);
  const toText = (name: string) => (isSingle ? inner(name).replaceAll("'", "\\'") : inner(name));
  return { from: from + 1, options: data.nodes.map(({ name }) => ({ label: name, apply: toText(name) })) };
}

function textOf(node: SyntaxNode | null | undefined, read: Context['read']): string {
  return node ? read(node.from, node.to) : '';
}

function targetOf(node: SyntaxNode, context: Context): Target | undefined {
  const { read, data } = context;
  const text = read(node.from, node.to);
  switch (node.name) {
    case 'VariableName':
      return rootOf(text, data);
    case 'String':
      return { kind: 'json', value: text };
    case 'ParenthesizedExpression':
      return node.firstChild?.nextSibling ? targetOf(node.firstChild.nextSibling, context) : undefined;
    case 'CallExpression': {
      const [callee, list] = [node.firstChild, node.lastChild];
      if (textOf(callee, read) === '$') {
        return { kind: 'node', json: itemOf(stringOf(list?.getChild('String'), read), data) };
      }
      // A method of JSON returns something else.
      const target = callee && targetOf(callee, context);
      return target?.kind === 'json' ? undefined : (target ?? undefined);
    }
    case 'MemberExpression': {
      const target = node.firstChild && targetOf(node.firstChild, context);
      const key = keyOf(node, read);
      return target && key !== undefined ? memberOf(target, key, data) : undefined;
    }
    default:
      return undefined;
  }
}

function rootOf(name: string, data: ExpressionData): Target | undefined {
  if (name === '$json') return { kind: 'json', value: data.item };
  if (name === '$node') return { kind: 'nodes' };
  if (name === '$input') return { kind: 'input', json: data.item };
  const { members } = rootNames.find((one) => one.name === name) ?? {};
  return members && { kind: 'names', names: members };
}

function itemOf(node: string | undefined, { nodes }: ExpressionData): unknown {
  return nodes.find(({ name }) => name === node)?.item;
}

/** The key of a member, after a dot or in brackets. */
function keyOf(node: SyntaxNode, read: Context['read']): string | undefined {
  const key = node.lastChild;
  if (key?.name === 'PropertyName') return read(key.from, key.to);
  const inner = key?.prevSibling;
  return inner?.name === 'Number' ? read(inner.from, inner.to) : stringOf(inner, read);
}

/** The value of a string literal; `undefined` for any other node. */
function stringOf(node: SyntaxNode | null | undefined, read: Context['read']): string | undefined {
  if (node?.name !== 'String') return undefined;
  const inner = read(node.from + 1, node.to - 1);
  return inner.replace(/\\(.)/gs, '$1');
}

function memberOf(target: Target, key: string, data: ExpressionData): Target | undefined {
  switch (target.kind) {
    case 'json': {
      const { value } = target;
      return typeof value === 'object' && value !== null && Object.hasOwn(value, key)
        ? { kind: 'json', value: (value as Record<string, unknown>)[key] }
        : undefined;
    }
    case 'item':
      return key === 'json' ? { kind: 'json', value: target.json } : undefined;
    case 'input':
    case 'node':
      return ['item', 'first', 'last', 'itemMatching'].includes(key) ? { kind: 'item', json: target.json } : undefined;
    case 'nodes':
      return { kind: 'item', json: itemOf(key, data) };
    case 'names': {
      const { members } = target.names.find(({ name }) => name === key) ?? {};
      return members && { kind: 'names', names: members };
    }
  }
}

/** @param dotLength length of the dot and the space before the member, which brackets replace */
function optionsOf(target: Target, dotLength: number): Completion[] {
  if (target.kind !== 'json') {
    const listed = { item: itemNames, input: inputNames, node: nodeNames, nodes: [] };
    return (target.kind === 'names' ? target.names : listed[target.kind]).map(toOption);
  }
  const { value } = target;
  if (Array.isArray(value)) return methodsOf('array');
  if (typeof value === 'string' || typeof value === 'number') return methodsOf(typeof value as 'string' | 'number');
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value)
    .slice(0, maxFields)
    .map(([key, child]) => fieldOption(key, child, dotLength));
}

function methodsOf(kind: keyof typeof valueNames): Completion[] {
  const own = valueNames[kind];
  const added = extensionNames[kind].filter((name) => !own.some((one) => one.name === name));
  return [...own, ...added.map((name): Name => ({ name, isCall: true }))].map(toOption);
}

function fieldOption(key: string, value: unknown, dotLength: number): Completion {
  const option = { label: key, type: 'property', boost: 1, detail: detailOf(value) };
  if (/^[\p{ID_Start}_$][\p{ID_Continue}$]*$/u.test(key)) return option;
  const insert = `[${JSON.stringify(key)}]`;
  return {
    ...option,
    apply(view, _completion, from, to) {
      const start = from - dotLength;
      view.dispatch({ changes: { from: start, to, insert }, selection: { anchor: start + insert.length } });
    },
  };
}

function detailOf(value: unknown): string {
  if (Array.isArray(value)) return `list of ${value.length}`;
  if (typeof value === 'object' && value !== null) return 'object';
  const text = String(value);
  return text.length > maxDetail ? `${text.slice(0, maxDetail - 1)}…` : text;
}

function toOption({ name, info, isCall }: Name): Completion {
  const option = { label: name, ...(info && { detail: info }), type: isCall ? 'function' : 'variable' };
  if (!isCall) return option;
  return {
    ...option,
    label: `${name}()`,
    apply(view, _completion, from, to) {
      view.dispatch({ changes: { from, to, insert: `${name}()` }, selection: { anchor: from + name.length + 1 } });
    },
  };
}
