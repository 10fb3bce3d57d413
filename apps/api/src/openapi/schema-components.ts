import * as contract from '@sluice/contract';
import { isJsonObject, type JsonObject, type JsonValue } from '@sluice/domain';
import type { Reference } from './document.ts';

const prefix = '#/components/schemas/';

/** Keywords whose value is a schema, a list of schemas, or a dictionary of them. */
const nested = ['items', 'additionalProperties', 'anyOf', 'oneOf', 'allOf'];

/**
 * Converts schemas of the contract to schemas of the document: each named export of the contract
 * becomes a component that other schemas refer to.
 */
export class SchemaComponents {
  /** Component name → schema; filled on use. */
  readonly schemas: Record<string, JsonObject> = {};
  readonly #names = namesOfContract();

  /** Converts a schema. */
  of(schema: object): JsonObject {
    const name = this.#nameOf(schema);
    if (name === undefined) return this.#inline(schema as JsonObject);
    if (!Object.hasOwn(this.schemas, name)) {
      this.schemas[name] = {};
      this.schemas[name] = this.#inline(schema as JsonObject);
    }
    return reference(name);
  }

  /** Finds a component by identity or, for an optional copy, by content. */
  #nameOf(schema: object): string | undefined {
    return this.#names.get(schema) ?? this.#names.get(JSON.stringify(schema));
  }

  #inline(schema: JsonObject): JsonObject {
    const inlined: JsonObject = {};
    for (const [keyword, value] of Object.entries(schema)) {
      if (keyword === 'properties' && isJsonObject(value)) inlined[keyword] = this.#each(value);
      else if (keyword === 'required') Object.assign(inlined, requiredOf(schema));
      else if (keyword !== 'examples') inlined[keyword] = nested.includes(keyword) ? this.#nested(value) : value;
    }
    return inlined;
  }

  #each(properties: JsonObject): JsonObject {
    return Object.fromEntries(Object.entries(properties).map(([name, schema]) => [name, this.#nested(schema)]));
  }

  #nested(value: JsonValue): JsonValue {
    if (Array.isArray(value)) return value.map((schema) => this.#nested(schema));
    return isJsonObject(value) ? this.of(value) : value;
  }
}

/** Removes properties with a default from `required`: validators fill them in first. */
function requiredOf({ required, properties }: JsonObject): { required?: string[] } {
  const needed = (required as string[]).filter((name) => !('default' in ((properties as JsonObject)[name] as JsonObject)));
  return needed.length > 0 ? { required: needed } : {};
}

function reference(name: string): JsonObject & Reference {
  return { $ref: `${prefix}${name}` };
}

/** Named schemas of objects and lists. Queries become parameters, so they need no component. */
function namesOfContract(): Map<object | string, string> {
  const names = new Map<object | string, string>();
  for (const [exportName, value] of Object.entries<unknown>(contract)) {
    if (!isJsonObject(value) || !isNamed(value) || exportName.endsWith('Query')) continue;
    const name = typeof value['title'] === 'string' ? value['title'] : `${exportName[0]?.toUpperCase()}${exportName.slice(1)}`;
    names.set(value, name);
    const text = JSON.stringify(value);
    if (!names.has(text)) names.set(text, name);
  }
  return names;
}

function isNamed(schema: JsonObject): boolean {
  return schema['type'] !== undefined && ['properties', 'items', 'additionalProperties'].some((keyword) => keyword in schema);
}
