import { isJsonObject, type JsonObject, type JsonValue, TimeSlice } from '@sluice/domain';
import { parseTemplate } from '@sluice/expressions';
import { parseExpressionAt } from 'acorn';

/** Maximum number of values in the parameters that are searched. */
const maxValues = 5_000;
const callNames: ReadonlySet<string> = new Set(['$fromAI', '$fromAi', '$fromai']);

const types: Readonly<Record<string, JsonObject>> = {
  string: { type: 'string' },
  number: { type: 'number' },
  boolean: { type: 'boolean' },
  date: { type: 'string', description: 'a date' },
  datetime: { type: 'string', description: 'a date and time' },
  json: {},
};

interface FromAi {
  name: string;
  schema: JsonObject;
  isRequired: boolean;
}

/** Schemas of parameters that were already read, because a node supplies its tool for each item. */
const schemas = new WeakMap<JsonObject, Promise<JsonObject>>();

/**
 * JSON Schema of the arguments that parameters get from a model, by their calls of
 * `$fromAI(name, description, type, default)`. Only the first call with a name is used. Calls whose
 * name is not a literal are ignored. Expressions are parsed in time slices.
 * @param parameters as written; never changed.
 */
export function fromAiSchema(parameters: JsonObject): Promise<JsonObject> {
  const schema = schemas.get(parameters) ?? readSchema(parameters);
  schemas.set(parameters, schema);
  return schema;
}

async function readSchema(parameters: JsonObject): Promise<JsonObject> {
  const byName = new Map<string, FromAi>();
  const slice = new TimeSlice();
  for (const source of sourcesOf(parameters)) {
    for (const one of callsIn(source)) if (!byName.has(one.name)) byName.set(one.name, one);
    if (slice.isOver) await slice.next();
  }
  const all = [...byName.values()];
  return {
    type: 'object',
    properties: Object.fromEntries(all.map(({ name, schema }) => [name, schema])),
    required: all.filter(({ isRequired }) => isRequired).map(({ name }) => name),
  };
}

/** Strings with expressions that may contain a call. */
function textsOf(parameters: JsonObject): string[] {
  const texts: string[] = [];
  const rest: JsonValue[] = [parameters];
  for (let seen = 0; rest.length > 0 && seen < maxValues; seen += 1) {
    const value = rest.pop() as JsonValue;
    if (typeof value === 'string') {
      if (value.startsWith('=') && value.toLowerCase().includes('$fromai')) texts.unshift(value.slice(1));
    } else if (Array.isArray(value)) rest.push(...value.slice(0, maxValues));
    else if (isJsonObject(value)) rest.push(...(Object.values(value) as JsonValue[]).slice(0, maxValues));
  }
  return texts;
}

/** Sources of expressions, one at a time. */
function* sourcesOf(parameters: JsonObject): Generator<string> {
  for (const text of textsOf(parameters)) for (const part of parseTemplate(text)) if ('source' in part) yield part.source;
}

function callsIn(source: string): FromAi[] {
  try {
    return callsOf(parseExpressionAt(source, 0, { ecmaVersion: 'latest' }));
  } catch {
    return []; // running the node reports it
  }
}

interface SyntaxNode {
  type: string;
  [member: string]: unknown;
}

/**
 * In source order. Iterative, because a sum of thousands of calls is nested thousands of levels
 * deep.
 */
function callsOf(root: unknown): FromAi[] {
  const calls: FromAi[] = [];
  const open = [root];
  while (open.length > 0) {
    const node = open.pop();
    if (Array.isArray(node)) pushReversed(open, node);
    else if (isSyntax(node)) {
      const call = node.type === 'CallExpression' ? fromAi(node) : undefined;
      if (call) calls.push(call);
      else pushReversed(open, Object.values(node));
    }
  }
  return calls;
}

function pushReversed(open: unknown[], members: readonly unknown[]): void {
  for (let index = members.length - 1; index >= 0; index--) open.push(members[index]);
}

function isSyntax(node: unknown): node is SyntaxNode {
  return typeof node === 'object' && node !== null && typeof (node as SyntaxNode).type === 'string';
}

function fromAi(node: SyntaxNode): FromAi | undefined {
  const { callee, arguments: args } = node as unknown as { callee: { name?: string }; arguments: SyntaxNode[] };
  if (!callNames.has(callee.name ?? '')) return undefined;
  const [name, description, type] = args.map(literal);
  if (typeof name !== 'string' || name === '') return undefined;
  const schema = types[typeof type === 'string' ? type.toLowerCase() : 'string'] ?? {};
  const text: JsonObject = typeof description === 'string' && description !== '' ? { description } : {};
  return { name, schema: { ...schema, ...text }, isRequired: args.length < 4 };
}

function literal(node: SyntaxNode): unknown {
  if (node.type === 'Literal') return node['value'];
  const quasis = node.type === 'TemplateLiteral' ? (node['quasis'] as { value: { cooked?: string } }[]) : [];
  return quasis.length === 1 ? quasis[0]?.value.cooked : undefined;
}
