import { isJsonObject, type JsonObject, type JsonValue } from '@sluice/domain';
import { schemaExamples, wordExamples } from './examples.ts';
import type { SchemaComponents } from './schema-components.ts';

/**
 * An example of a schema of the contract: its own, or one composed of its parts. `name`: name of the
 * property or parameter that has the schema.
 */
export function exampleOf(schema: object, components: SchemaComponents, name = ''): JsonValue {
  const written = schemaExamples[components.nameOf(schema) ?? ''];
  return written ?? made(schema as JsonObject, components, name);
}

function made(schema: JsonObject, components: SchemaComponents, name: string): JsonValue {
  for (const keyword of ['const', 'default']) if (keyword in schema) return schema[keyword] as JsonValue;
  if (Array.isArray(schema['enum'])) return schema['enum'][0] as JsonValue;
  if (Array.isArray(schema['anyOf'])) return exampleOf(schema['anyOf'][0] as object, components, name);
  return byType(schema, components, name);
}

function byType(schema: JsonObject, components: SchemaComponents, name: string): JsonValue {
  const type = Array.isArray(schema['type']) ? schema['type'][0] : schema['type'];
  if (type === 'object') return objectExample(schema, components);
  if (type === 'array') return isJsonObject(schema['items']) ? [exampleOf(schema['items'], components, name)] : [];
  if (type === 'boolean') return false;
  if (type === 'null') return null;
  if (type === 'string') return schema['format'] === 'date-time' ? wordExamples.instant : (ownWord(name) ?? 'text');
  return (schema['minimum'] as number | undefined) ?? 1;
}

function objectExample({ properties = {} }: JsonObject, components: SchemaComponents): JsonObject {
  const entries = Object.entries(properties as JsonObject);
  return Object.fromEntries(entries.map(([name, schema]) => [name, exampleOf(schema as object, components, name)]));
}

function ownWord(name: string): string | undefined {
  return Object.hasOwn(wordExamples, name) ? wordExamples[name as keyof typeof wordExamples] : undefined;
}
