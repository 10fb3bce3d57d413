import * as contract from '@sluice/contract';
import { isJsonObject, type JsonObject, type JsonValue } from '@sluice/domain';
import type { Reference } from './document.ts';

const prefix = '#/components/schemas/';

/** Keywords whose value is a schema, a list of schemas, or a dictionary of them. */
const nested = ['items', 'additionalProperties', 'anyOf', 'oneOf', 'allOf'];

/**
 * Turns schemas of the contract into those of the document: what the contract exports under a name becomes a component, and
 * everything else refers to it.
 */
export class SchemaComponents {
  /** Component name → schema; grows with what is asked for. */
  readonly schemas: Record<string, JsonObject> = {};
  readonly #names = namesOfContract();

  /** The schema as the document has it. */
  of(schema: object): JsonObject {
    const name = this.nameOf(schema);
    if (name === undefined) return this.#inline(schema as JsonObject);
    if (!Object.hasOwn(this.schemas, name)) {
      this.schemas[name] = {};
      this.schemas[name] = this.#inline(schema as JsonObject);
    }
    return reference(name);
  }

  /** By identity or, for a copy that was marked as optional, by content. */
  nameOf(schema: object): string | undefined {
    return this.#names.get(schema) ?? this.#names.get(JSON.stringify(schema));
  }

  #inline(schema: JsonObject): JsonObject {
    const shown: JsonObject = {};
    for (const [keyword, value] of Object.entries(schema)) {
      if (keyword === 'properties' && isJsonObject(value)) shown[keyword] = this.#each(value);
      else if (keyword === 'required') Object.assign(shown, requiredOf(schema));
      else shown[keyword] = nested.includes(keyword) ? this.#nested(value) : value;
    }
    return shown;
  }

  #each(properties: JsonObject): JsonObject {
    return Object.fromEntries(Object.entries(properties).map(([name, schema]) => [name, this.#nested(schema)]));
  }

  #nested(value: JsonValue): JsonValue {
    if (Array.isArray(value)) return value.map((schema) => this.#nested(schema));
    return isJsonObject(value) ? this.of(value) : value;
  }
}

/** Properties with a default are optional: our validators fill them in before they check `required`. */
function requiredOf({ required, properties }: JsonObject): { required?: string[] } {
  const needed = (required as string[]).filter((name) => !('default' in ((properties as JsonObject)[name] as JsonObject)));
  return needed.length > 0 ? { required: needed } : {};
}

function reference(name: string): JsonObject & Reference {
  return { $ref: `${prefix}${name}` };
}

/** Schemas of objects and lists that say something of their content. Queries become parameters, so they need no name. */
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
