import {
  type AssignmentType,
  assignmentTypes,
  type ExecuteContext,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  NodeOperationError,
  ownProperty,
  unconvertedType,
} from '@sluice/node-sdk';
import { coercedText, stringOf } from '../../shared/coerced-text.ts';
import { convertValue } from '../../shared/convert-value.ts';
import { FieldEditor, parseFieldPath } from '../../shared/field-path.ts';
import { booleanParameter, describeValue, listParameter, requireGroup } from '../../shared/parameters.ts';
import { usesDots } from './included-fields.ts';
import { repairedJson } from './json-output.ts';

/**
 * One field to write; `type` undefined: the value is written unchanged, and `undefined` removes the
 * field.
 */
interface FieldAssignment {
  name: string;
  value: JsonValue | undefined;
  type: AssignmentType | undefined;
}

/** Fields to write, in order, according to the version's parameters. */
export function readAssignments(context: ExecuteContext, itemIndex: number): FieldAssignment[] {
  if (context.typeVersion < 3) return readLegacyValues(context, itemIndex);
  if (context.typeVersion < 3.3) return readFieldValues(context, itemIndex);
  requireGroup(context, 'assignments', itemIndex);
  return listParameter(context, 'assignments.assignments', itemIndex).map((entry) => ({
    name: stringOf(entry['name']),
    value: entry['value'] ?? null,
    type: entry['type'] === unconvertedType ? undefined : fieldType(entry, entry['type'] ?? 'string', itemIndex),
  }));
}

/**
 * `base` with the assignments written over it, each converted to its type; null remains null for
 * every type.
 */
export function assign(
  context: ExecuteContext,
  itemIndex: number,
  base: JsonObject,
  assignments: readonly FieldAssignment[],
): JsonObject {
  const dotNotation = usesDots(context, itemIndex);
  const ignoreErrors = ignoresErrors(context, itemIndex);
  // Before version 3.3, this option does not apply to objects.
  const ignores = ({ type }: FieldAssignment) => ignoreErrors && !(type === 'object' && context.typeVersion < 3.3);
  const editor = new FieldEditor(base);
  for (const assignment of assignments) {
    const value = converted(assignment, itemIndex, ignores(assignment));
    editor.set(parseFieldPath(assignment.name, dotNotation), value);
  }
  return editor.json;
}

const ignoresErrors = (context: ExecuteContext, itemIndex: number): boolean =>
  booleanParameter(context, 'options.ignoreConversionErrors', itemIndex, false);

function converted(assignment: FieldAssignment, itemIndex: number, ignoreErrors: boolean): JsonValue | undefined {
  const { name, value, type } = assignment;
  if (value === undefined || value === null || type === undefined) return value;
  const result = type === 'number' && isBlank(value) ? 0 : convertValue(value, type);
  // JSON has no `Infinity`: only some later nodes would read it as null.
  const isJson = typeof result !== 'number' || Number.isFinite(result);
  if (result !== undefined && isJson) return result;
  if (ignoreErrors) return value;
  throw wrongType(name, type, value, itemIndex);
}

function wrongType(name: string, type: AssignmentType, value: JsonValue | undefined, itemIndex: number): NodeOperationError {
  return new NodeOperationError(`the field "${name}" must be of type ${type}, but its value is ${describeValue(value)}`, {
    itemIndex,
    description: 'Change the value or the type, or switch on the option "Ignore Type Conversion Errors"',
  });
}

/** An empty number is 0. */
function isBlank(value: JsonValue): boolean {
  return typeof value === 'string' && value.trim() === '';
}

function fieldType({ name }: JsonObject, type: JsonValue, itemIndex: number): AssignmentType {
  const assignmentType = assignmentTypes.find((candidate) => candidate === type);
  if (assignmentType) return assignmentType;
  throw new NodeOperationError(`the field "${coercedText(name)}" has an unknown type: ${describeValue(type)}`, {
    itemIndex,
    description: `Use one of ${assignmentTypes.join(', ')}`,
  });
}

/** Default values of entries without a value key. */
const absentValues: Readonly<Record<string, JsonValue>> = { booleanValue: 'true', objectValue: '{}' };

/** Versions 3 to 3.2: `fields.values[]`, with the value under its type's name. */
function readFieldValues(context: ExecuteContext, itemIndex: number): FieldAssignment[] {
  requireGroup(context, 'fields', itemIndex);
  const ignoreErrors = ignoresErrors(context, itemIndex);
  return listParameter(context, 'fields.values', itemIndex).map((entry, index) => {
    const key = stringOf(entry['type'] ?? 'stringValue');
    const type = fieldType(entry, key.replace(/Value$/, ''), itemIndex);
    const value = valueOfField(entry, key, isExpressionOf(context, 'fields', 'values', index, key));
    const name = nameOf(entry, isExpressionOf(context, 'fields', 'values', index, 'name'), '');
    if (type !== 'string' || value !== null || context.typeVersion > 3.1) return { name, value, type };
    if (ignoreErrors && context.typeVersion === 3.1) return { name, value: null, type };
    return { name, value: nothingAsText(context.typeVersion, name, entry[key], itemIndex), type };
  });
}

/**
 * The value under its type's name, or the default for an entry without a value. Invalid JSON from
 * an expression is repaired.
 */
function valueOfField(entry: JsonObject, key: string, isExpression: boolean): JsonValue {
  const value = entry[key];
  const repaired = isExpression && key === 'objectValue' && typeof value === 'string' ? repairedJson(value) : undefined;
  if (isJsonObject(repaired)) return repaired;
  return value ?? (isExpression || Object.hasOwn(entry, key) ? null : (absentValues[key] ?? ''));
}

/**
 * A text field without a value: `undefined` or `null` in version 3, an error that may be ignored in
 * version 3.1.
 */
function nothingAsText(version: number, name: string, value: JsonValue | undefined, itemIndex: number): string {
  if (version < 3.1) return stringOf(value);
  throw wrongType(name, 'string', value, itemIndex);
}

const legacyDefaults = { boolean: false, number: 0, string: '' };

/** Versions 1 and 2: lists by type. */
function readLegacyValues(context: ExecuteContext, itemIndex: number): FieldAssignment[] {
  requireGroup(context, 'values', itemIndex);
  return (['boolean', 'number', 'string'] as const).flatMap((kind) =>
    listParameter(context, `values.${kind}`, itemIndex).map((entry, index) => {
      const absent = isExpressionOf(context, 'values', kind, index, 'value') ? undefined : legacyDefaults[kind];
      const value = entry['value'] === undefined ? absent : entry['value'];
      return {
        name: nameOf(entry, isExpressionOf(context, 'values', kind, index, 'name'), 'propertyName'),
        value: legacyValue(context.typeVersion, kind, value),
        type: undefined,
      };
    }),
  );
}

/** An expression without a value is a name, too: `undefined` or `null`. */
const nameOf = ({ name }: JsonObject, isExpression: boolean, fallback: string): string =>
  isExpression ? stringOf(name) : stringOf(name ?? fallback);

/**
 * Whether a member of an entry is an expression: an expression that yields `undefined` leaves no
 * member in the resolved entry.
 */
function isExpressionOf({ node }: ExecuteContext, parameter: string, group: string, index: number, key: string): boolean {
  const entries = member(ownProperty(node.parameters, parameter), group);
  const written = member(Array.isArray(entries) ? entries[index] : entries, key);
  return typeof written === 'string' && written.startsWith('=');
}

function member(value: JsonValue | undefined, key: string): JsonValue | undefined {
  return isJsonObject(value) ? ownProperty(value, key) : undefined;
}

/** Booleans follow truthiness. Version 2 reads numbers from text. Other values are unchanged. */
function legacyValue(version: number, kind: string, value: JsonValue | undefined): JsonValue | undefined {
  if (kind === 'boolean') return Boolean(value);
  if (kind !== 'number' || version < 2 || typeof value !== 'string') return value;
  return isBlank(value) ? 0 : (convertValue(value, 'number') ?? value);
}
