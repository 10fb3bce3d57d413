import { isJsonObject, type JsonObject, type JsonValue } from '@sluice/domain';
import { parseTemplate } from '@sluice/expressions';
import { parseExpressionAt } from 'acorn';

/** Most values of the parameters that are searched. */
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

/**
 * JSON Schema of the arguments that parameters take from a model, by their calls of
 * `$fromAI(name, description, type, default)`. The first call of a name counts. Calls whose name is not
 * a literal are ignored.
 */
export function fromAiSchema(parameters: JsonObject): JsonObject {
  const found = new Map<string, FromAi>();
  for (const text of textsOf(parameters)) {
    for (const one of callsIn(text)) if (!found.has(one.name)) found.set(one.name, one);
  }
  const all = [...found.values()];
  return {
    type: 'object',
    properties: Object.fromEntries(all.map(({ name, schema }) => [name, schema])),
    required: all.filter(({ isRequired }) => isRequired).map(({ name }) => name),
  };
}

/** Texts with expressions that may contain a call. */
function textsOf(parameters: JsonObject): string[] {
  const texts: string[] = [];
  const rest: JsonValue[] = [parameters];
  for (let seen = 0; rest.length > 0 && seen < maxValues; seen += 1) {
    const value = rest.pop() as JsonValue;
    if (typeof value === 'string') {
      if (value.startsWith('=') && value.toLowerCase().includes('$fromai')) texts.unshift(value.slice(1));
    } else if (Array.isArray(value)) rest.push(...value);
    else if (isJsonObject(value)) rest.push(...(Object.values(value) as JsonValue[]));
  }
  return texts;
}

function callsIn(text: string): FromAi[] {
  return parseTemplate(text).flatMap((part) => {
    if (!('source' in part)) return [];
    try {
      return [...callsOf(parseExpressionAt(part.source, 0, { ecmaVersion: 'latest' }))];
    } catch {
      return []; // running the node reports it
    }
  });
}

interface SyntaxNode {
  type: string;
  [member: string]: unknown;
}

function* callsOf(node: unknown): Generator<FromAi> {
  if (Array.isArray(node)) for (const one of node) yield* callsOf(one);
  if (!isSyntax(node)) return;
  const call = node.type === 'CallExpression' ? fromAi(node) : undefined;
  if (call) yield call;
  else for (const member of Object.values(node)) yield* callsOf(member);
}

function isSyntax(node: unknown): node is SyntaxNode {
  return typeof node === 'object' && node !== null && typeof (node as SyntaxNode).type === 'string';
}

function fromAi(node: SyntaxNode): FromAi | undefined {
  const { callee, arguments: given } = node as unknown as { callee: { name?: string }; arguments: SyntaxNode[] };
  if (!callNames.has(callee.name ?? '')) return undefined;
  const [name, description, type] = given.map(literal);
  if (typeof name !== 'string' || name === '') return undefined;
  const schema = types[typeof type === 'string' ? type.toLowerCase() : 'string'] ?? {};
  const text: JsonObject = typeof description === 'string' && description !== '' ? { description } : {};
  return { name, schema: { ...schema, ...text }, isRequired: given.length < 4 };
}

function literal(node: SyntaxNode): unknown {
  if (node.type === 'Literal') return node['value'];
  const quasis = node.type === 'TemplateLiteral' ? (node['quasis'] as { value: { cooked?: string } }[]) : [];
  return quasis.length === 1 ? quasis[0]?.value.cooked : undefined;
}
