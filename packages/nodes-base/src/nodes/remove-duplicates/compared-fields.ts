import {
  type ExecuteContext,
  type Item,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  NodeOperationError,
} from '@sluice/node-sdk';
import { type FieldPath, readField, withField } from '../../shared/field-path.ts';
import { fieldsParameter, type NamedField, requiredFields, usesDotNotation } from '../../shared/named-fields.ts';
import { choiceParameter } from '../../shared/parameters.ts';

/** What makes two items the same: these fields, in all of which they are alike. */
export interface ComparedFields {
  fields: readonly NamedField[];
  /** They were named one by one, rather than being all there are. */
  areSelected: boolean;
}

/** The fields to compare, of the parameters `compare`, `fieldsToCompare` and `fieldsToExclude`. */
export function comparedFields(context: ExecuteContext): ComparedFields {
  const compare = choiceParameter(context, 'compare', 0, ['allFields', 'allFieldsExcept', 'selectedFields'], 'allFields');
  if (compare === 'selectedFields') return { fields: requiredFields(context, 'fieldsToCompare', 0), areSelected: true };
  const except = compare === 'allFieldsExcept' ? fieldsParameter(context, 'fieldsToExclude', 0) : [];
  const excluded = new Set(except.map(({ name }) => name));
  const fields = allFields(context.items(), usesDotNotation(context, 0)).filter(
    ({ name, path }) => !excluded.has(name) && !path.some((_, end) => excluded.has(path.slice(0, end + 1).join('.'))),
  );
  return { fields, areSelected: false };
}

/** Every field that occurs; with dot notation, fields within objects in place of the objects. */
function allFields(items: readonly Item[], dotNotation: boolean): NamedField[] {
  const fields = new Map<string, NamedField>();
  const add = (json: JsonObject, above: FieldPath): void => {
    for (const [key, value] of Object.entries(json)) {
      const path = [...above, key];
      const name = path.join('.');
      if (dotNotation && isJsonObject(value) && Object.keys(value).length > 0 && path.length < maxDepth) add(value, path);
      else fields.set(name, { name, path });
    }
  };
  for (const { json } of items) add(json, []);
  return [...fields.values()];
}

/** Below this depth objects are compared as a whole. */
const maxDepth = 20;

/** Throws a `NodeOperationError` for a field whose values are of different types: a comparison of them would not mean anything. */
export function checkTypes(items: readonly Item[], { fields, areSelected }: ComparedFields): void {
  for (const { name, path } of fields) {
    let type: string | undefined;
    for (const [itemIndex, { json }] of items.entries()) {
      const value = readField(json, path);
      if (value === undefined && areSelected) throw missing(name, itemIndex);
      if (value === undefined || value === null) continue;
      const own = typeOf(value);
      if (type !== undefined && own !== type) throw mixed(name, type, own, itemIndex);
      type = own;
    }
  }
}

function typeOf(value: JsonValue): string {
  return Array.isArray(value) ? 'list' : typeof value;
}

function missing(name: string, itemIndex: number): NodeOperationError {
  return new NodeOperationError(`the item has no field "${name}", which is compared`, {
    itemIndex,
    description: 'Check the name; for a name with a dot in it, switch on "Disable Dot Notation"',
  });
}

function mixed(name: string, type: string, other: string, itemIndex: number): NodeOperationError {
  return new NodeOperationError(`the field "${name}" is not always of the same type: ${type} before, ${other} here`, {
    itemIndex,
    description: 'Make the values of the field the same type first, as with an Edit Fields node',
  });
}

export function onlyFields(json: JsonObject, fields: readonly NamedField[]): JsonObject {
  return fields.reduce<JsonObject>((kept, { path }) => {
    const value = readField(json, path);
    return value === undefined ? kept : withField(kept, path, value);
  }, {});
}
