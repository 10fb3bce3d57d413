import { type ExecuteContext, type Item, type JsonObject, type JsonValue, NodeOperationError } from '@sluice/node-sdk';
import { FieldEditor, type FieldPath, readField } from '../../shared/field-path.ts';
import { type NamedField, requiredFields, usesDotNotation } from '../../shared/named-fields.ts';
import { choiceParameter } from '../../shared/parameters.ts';

/** Fields to compare: two items are duplicates if all these fields are equal. */
interface ComparedFields {
  /** Fields that every item must have, always with the same type. */
  checked: readonly NamedField[];
  /** An item's fields that are compared. */
  of(json: JsonObject): readonly NamedField[];
  /** Whether all fields are compared, so that an item has no others. */
  areAll?: boolean;
}

/**
 * The fields to compare, from the parameters `compare`, `fieldsToCompare`, and `fieldsToExclude`.
 */
export function comparedFields(context: ExecuteContext): ComparedFields {
  const items = context.items();
  switch (choiceParameter(context, 'compare', 0, ['allFields', 'allFieldsExcept', 'selectedFields'], 'allFields')) {
    case 'allFields':
      return { checked: everyField(items, leavesOf), of: leavesOf, areAll: true };
    case 'allFieldsExcept':
      return allExcept(context, items);
    case 'selectedFields': {
      const fields = requiredFields(context, 'fieldsToCompare', 0);
      return { checked: fields, of: () => fields };
    }
  }
}

/** With dot notation, a field that the first item lacks may be missing from other items too. */
function allExcept(context: ExecuteContext, items: readonly Item[]): ComparedFields {
  const excluded = new Set(requiredFields(context, 'fieldsToExclude', 0).map(({ name }) => name));
  const dotNotation = usesDotNotation(context, 0);
  const of = (json: JsonObject) => (dotNotation ? leavesOf : membersOf)(json).filter(({ name }) => !excluded.has(name));
  return { checked: everyField(dotNotation ? items.slice(0, 1) : items, of), of };
}

function everyField(items: readonly Item[], fieldsOf: ComparedFields['of']): NamedField[] {
  const fields = new Map<string, NamedField>();
  for (const { json } of items) for (const field of fieldsOf(json)) fields.set(field.name, field);
  return [...fields.values()];
}

/** Below this depth objects and lists are compared as a whole. */
const maxDepth = 20;

/** The values within objects and lists, at any depth; an empty object or list has no values. */
function leavesOf(json: JsonObject): NamedField[] {
  const leaves: NamedField[] = [];
  const add = (container: JsonObject | JsonValue[], above: FieldPath): void => {
    for (const [key, value] of Object.entries(container)) {
      const path = [...above, key];
      if (typeof value === 'object' && value !== null && path.length < maxDepth) add(value, path);
      else leaves.push({ name: path.join('.'), path });
    }
  };
  add(json, []);
  return leaves;
}

function membersOf(json: JsonObject): NamedField[] {
  return Object.keys(json).map((name) => ({ name, path: [name] }));
}

/**
 * Allowed values of a field: `same`: values of one type, where null is an object; `sameOrNull`:
 * null, and values of one type; `any`: values of all types.
 */
export type TypeRule = 'same' | 'sameOrNull' | 'any';

/**
 * Throws a `NodeOperationError` for a checked field that an item lacks, or whose types break the
 * rule.
 */
export function checkTypes(items: readonly Item[], { checked }: ComparedFields, rule: TypeRule): void {
  for (const { name, path } of checked) {
    let type: string | undefined;
    for (const [itemIndex, { json }] of items.entries()) {
      const value = readField(json, path);
      if (value === undefined) throw missing(name, itemIndex);
      if (rule === 'any' || (value === null && rule === 'sameOrNull')) continue;
      if (type !== undefined && typeof value !== type) throw mixed(name, type, typeof value, itemIndex);
      type = typeof value;
    }
  }
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

/** Only some fields of an item. A field whose name contains dots is a single field. */
export function onlyFields(json: JsonObject, fields: readonly NamedField[]): JsonObject {
  const editor = new FieldEditor({});
  for (const { name, path } of fields) {
    const value = readField(json, path);
    if (value !== undefined) editor.set(Object.hasOwn(json, name) ? [name] : path, value);
  }
  return editor.json;
}
