import { isJsonObject, type JsonObject, type JsonValue } from '@sluice/domain';
import { wordExamples } from './examples.ts';

/**
 * An example of a contract schema: its own, or an example composed of its parts. `name`: name of
 * the property or parameter that has the schema.
 */
export function exampleOf(schema: object, name = ''): JsonValue {
  const { examples: [own] = [] } = schema as { examples?: readonly JsonValue[] };
  return own ?? made(schema as JsonObject, name);
}

function made(schema: JsonObject, name: string): JsonValue {
  for (const keyword of ['const', 'default']) if (keyword in schema) return schema[keyword] as JsonValue;
  if (Array.isArray(schema['enum'])) return schema['enum'][0] as JsonValue;
  if (Array.isArray(schema['anyOf'])) return exampleOf(schema['anyOf'][0] as object, name);
  return byType(schema, name);
}

function byType(schema: JsonObject, name: string): JsonValue {
  const type = Array.isArray(schema['type']) ? schema['type'][0] : schema['type'];
  if (type === 'object') return objectExample(schema);
  if (type === 'array') return isJsonObject(schema['items']) ? [exampleOf(schema['items'], name)] : [];
  if (type === 'boolean') return false;
  if (type === 'null') return null;
  if (type === 'string') return schema['format'] === 'date-time' ? wordExamples.instant : (ownWord(name) ?? 'text');
  return (schema['minimum'] as number | undefined) ?? 1;
}

function objectExample({ properties = {} }: JsonObject): JsonObject {
  const entries = Object.entries(properties as JsonObject);
  return Object.fromEntries(entries.map(([name, schema]) => [name, exampleOf(schema as object, name)]));
}

function ownWord(name: string): string | undefined {
  return Object.hasOwn(wordExamples, name) ? wordExamples[name as keyof typeof wordExamples] : undefined;
}
