import { type Schema, Validator } from '@cfworker/json-schema';
import { isJsonObject, type JsonObject, type JsonValue } from '@sluice/node-sdk';

/** Maximum number of reported problems per value. */
const maxProblems = 5;
/**
 * Patterns from authors and models may backtrack endlessly, so text is not matched against them.
 */
const ignored: ReadonlySet<string> = new Set(['pattern', 'patternProperties', 'format']);

/**
 * Problems of a value, as sentences that a model understands; empty if it is valid. The schema may
 * come from users: it is interpreted, never compiled, and its patterns are ignored.
 */
export function schemaProblems(schema: JsonObject, value: JsonValue): string[] {
  const { valid, errors } = new Validator(checked(schema) as Schema, '2019-09', false).validate(value);
  if (valid) return [];
  const leaves = errors.filter(({ keyword }) => keyword !== 'properties' && keyword !== 'items');
  return (leaves.length > 0 ? leaves : errors)
    .slice(0, maxProblems)
    .map(({ instanceLocation, error }) => `${instanceLocation.replace(/^#/, '') || '/'}: ${error}`);
}

function checked(schema: JsonValue): JsonValue {
  if (Array.isArray(schema)) return schema.map(checked);
  if (!isJsonObject(schema)) return schema;
  const members = Object.entries(schema).filter(
    ([name, member]) => !ignored.has(name) || (isJsonObject(member) && name !== 'patternProperties'),
  );
  return Object.fromEntries(members.map(([name, member]) => [name, checked(member as JsonValue)]));
}

/** A JSON Schema for values like the example. `isStrict`: every member is required. */
export function schemaOfExample(example: JsonValue, isStrict: boolean): JsonObject {
  if (Array.isArray(example)) {
    const [first] = example;
    return { type: 'array', ...(first !== undefined && { items: schemaOfExample(first, isStrict) }) };
  }
  if (isJsonObject(example)) {
    const members = Object.entries(example) as [string, JsonValue][];
    return {
      type: 'object',
      properties: Object.fromEntries(members.map(([name, member]) => [name, schemaOfExample(member, isStrict)])),
      ...(isStrict && { required: members.map(([name]) => name) }),
    };
  }
  return example === null ? {} : { type: typeof example };
}
