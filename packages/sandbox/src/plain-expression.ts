import { maxDepth } from './limits.ts';
import { SourceReader } from './source-reader.ts';

export type ItemRead = 'item' | 'first' | 'last' | 'all';
export type NodeRead = (typeof nodeReads)[number];
export type ScopeName = (typeof scopeNames)[number];

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

/** Where a path starts. */
export type PathRoot =
  | { kind: 'scope'; name: ScopeName }
  /** `$input.first()` */
  | { kind: 'input'; read: ItemRead }
  /** `$("x").item` */
  | { kind: 'node'; node: string; read: ItemRead | NodeRead }
  /** `$node["x"]`, whose `json` is that of the item at the same index. */
  | { kind: 'nodeTable'; node: string };

/** An expression that is evaluated by reading own properties: it calls nothing and writes nothing. */
export type PlainExpression =
  | { kind: 'literal'; value: string | number | boolean | null | undefined }
  | { kind: 'path'; root: PathRoot; steps: readonly (string | number)[] };

const words = new Map<string, boolean | null | undefined>([
  ['true', true],
  ['false', false],
  ['null', null],
  ['undefined', undefined],
]);

/** Reads the source of a `{{ }}` as a literal or a path; `undefined` when it is anything else, which is the guest's to run. */
export function parsePlainExpression(source: string): PlainExpression | undefined {
  const reader = new SourceReader(source);
  if (reader.atEnd()) return { kind: 'literal', value: undefined };
  const expression = readPlainExpression(reader);
  return reader.atEnd() ? expression : undefined;
}

/** Reads as far as a literal or a path goes. */
export function readPlainExpression(reader: SourceReader): PlainExpression | undefined {
  return readLiteral(reader) ?? readPath(reader);
}

function readLiteral(reader: SourceReader): PlainExpression | undefined {
  const value = reader.string() ?? reader.number();
  if (value !== undefined) return { kind: 'literal', value };
  const word = reader.peekIdentifier();
  if (word === undefined || !words.has(word)) return undefined;
  reader.identifier();
  return { kind: 'literal', value: words.get(word) };
}

function readPath(reader: SourceReader): PlainExpression | undefined {
  const root = readRoot(reader);
  if (!root) return undefined;
  const steps: (string | number)[] = [];
  while (reader.peek('.') || reader.peek('?.') || reader.peek('[')) {
    const step = readStep(reader);
    if (step === undefined || steps.length === maxDepth) return undefined;
    steps.push(step);
  }
  return { kind: 'path', root, steps };
}

function readRoot(reader: SourceReader): PathRoot | undefined {
  const name = reader.identifier();
  if (name === '$') return readNodeCall(reader);
  if (name === '$node') {
    const node = readStep(reader);
    return typeof node === 'string' ? { kind: 'nodeTable', node } : undefined;
  }
  if (name === '$input') {
    const read = readItemRead(reader);
    return read && { kind: 'input', read };
  }
  const scopeName = scopeNames.find((known) => known === name);
  return scopeName && { kind: 'scope', name: scopeName };
}

/** What follows the `$` of `$("x").first()`. */
function readNodeCall(reader: SourceReader): PathRoot | undefined {
  if (!reader.eat('(')) return undefined;
  const node = reader.string();
  if (node === undefined || !reader.eat(')')) return undefined;
  const read = readItemRead(reader) ?? readNodeProperty(reader);
  return read && { kind: 'node', node, read };
}

/** `.item`, `.first()`, `.last()` or `.all()`; reads nothing when it is none of them. */
function readItemRead(reader: SourceReader): ItemRead | undefined {
  const start = reader.position;
  const name = readMemberName(reader);
  if (name === 'item') return name;
  if ((name === 'first' || name === 'last' || name === 'all') && reader.eat('(') && reader.eat(')')) return name;
  reader.position = start;
  return undefined;
}

function readNodeProperty(reader: SourceReader): NodeRead | undefined {
  const name = readMemberName(reader);
  return nodeReads.find((known) => known === name);
}

function readMemberName(reader: SourceReader): string | undefined {
  return reader.eat('?.') || reader.eat('.') ? reader.identifier() : undefined;
}

/** `.name`, `?.name`, `["name"]`, `?.["name"]`, `[0]`. */
function readStep(reader: SourceReader): string | number | undefined {
  const optional = reader.eat('?.');
  if (optional ? !reader.peek('[') : reader.eat('.')) return reader.identifier();
  if (!reader.eat('[')) return undefined;
  const key = reader.string() ?? reader.number();
  return reader.eat(']') ? key : undefined;
}
