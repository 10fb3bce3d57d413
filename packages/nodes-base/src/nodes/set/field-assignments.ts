import { assignmentTypes, type ExecuteContext, type JsonObject, type JsonValue, NodeOperationError } from '@sluice/node-sdk';
import { convertValue, type FieldType } from '../../shared/convert-value.ts';
import { parseFieldPath, withField } from '../../shared/field-path.ts';
import { booleanParameter, describeValue, listParameter, requireGroup } from '../../shared/parameters.ts';

/** One field to write; `type` undefined: the value goes in as it is. */
export interface FieldAssignment {
  name: string;
  value: JsonValue;
  type: FieldType | undefined;
}

/** What the parameters of a version say is to be written, in their order. */
export function readAssignments(context: ExecuteContext, itemIndex: number): FieldAssignment[] {
  if (context.typeVersion < 3) return readLegacyValues(context, itemIndex);
  if (context.typeVersion < 3.3) return readFieldValues(context, itemIndex);
  requireGroup(context, 'assignments', itemIndex);
  return listParameter(context, 'assignments.assignments', itemIndex).map((entry) => ({
    name: String(entry['name'] ?? ''),
    value: entry['value'] ?? null,
    type: fieldType(entry, entry['type'] ?? 'string', itemIndex),
  }));
}

/** `base` with the assignments written over it, each converted to its type; a null stays null whatever the type. */
export function assign(
  context: ExecuteContext,
  itemIndex: number,
  base: JsonObject,
  assignments: readonly FieldAssignment[],
): JsonObject {
  const dotNotation = booleanParameter(context, 'options.dotNotation', itemIndex, true);
  const ignoreErrors = booleanParameter(context, 'options.ignoreConversionErrors', itemIndex, false);
  let json = base;
  for (const assignment of assignments) {
    if (assignment.name === '')
      throw new NodeOperationError('a field to set has no name', {
        itemIndex,
        description: 'Give each field a name; an expression in it may have given nothing',
      });
    json = withField(json, parseFieldPath(assignment.name, dotNotation), converted(assignment, itemIndex, ignoreErrors));
  }
  return json;
}

function converted({ name, value, type }: FieldAssignment, itemIndex: number, ignoreErrors: boolean): JsonValue {
  if (value === null || type === undefined) return value;
  const isEmptyNumber = type === 'number' && isBlank(value);
  const result = isEmptyNumber ? 0 : (convertValue(value, type) ?? (ignoreErrors ? value : undefined));
  if (result !== undefined) return result;
  throw new NodeOperationError(`the field "${name}" has to be of type ${type}, and its value is ${describeValue(value)}`, {
    itemIndex,
    description: 'Change the value or the type, or switch on the option "Ignore Type Conversion Errors"',
  });
}

/** A number that was left empty is 0. */
function isBlank(value: JsonValue): boolean {
  return typeof value === 'string' && value.trim() === '';
}

function fieldType({ name }: JsonObject, type: JsonValue, itemIndex: number): FieldType {
  const found = assignmentTypes.find((candidate) => candidate === type);
  if (found) return found;
  throw new NodeOperationError(`the field "${String(name ?? '')}" has a type that is not known: ${describeValue(type)}`, {
    itemIndex,
    description: `Use one of ${assignmentTypes.join(', ')}`,
  });
}

/** Versions 3 to 3.2: `fields.values[]`, the value under the name of its type. */
function readFieldValues(context: ExecuteContext, itemIndex: number): FieldAssignment[] {
  requireGroup(context, 'fields', itemIndex);
  return listParameter(context, 'fields.values', itemIndex).map((entry) => {
    const key = String(entry['type'] ?? 'stringValue');
    const absent = key === 'booleanValue' ? 'true' : key === 'objectValue' ? '{}' : null;
    return {
      name: String(entry['name'] ?? ''),
      value: Object.hasOwn(entry, key) ? (entry[key] ?? null) : absent,
      type: fieldType(entry, key.replace(/Value$/, ''), itemIndex),
    };
  });
}

const legacyDefaults = { boolean: false, number: 0, string: '' };

/** Versions 1 and 2: lists by type. */
function readLegacyValues(context: ExecuteContext, itemIndex: number): FieldAssignment[] {
  requireGroup(context, 'values', itemIndex);
  return (['boolean', 'number', 'string'] as const).flatMap((kind) =>
    listParameter(context, `values.${kind}`, itemIndex).map((entry) => ({
      name: String(entry['name'] ?? 'propertyName'),
      value: legacyValue(context.typeVersion, kind, entry['value'] === undefined ? legacyDefaults[kind] : entry['value']),
      type: undefined,
    })),
  );
}

/** Booleans follow truthiness, apart from texts such as `"false"`. Version 2 reads numbers from text. Other values stay as they are. */
function legacyValue(version: number, kind: keyof typeof legacyDefaults, value: JsonValue): JsonValue {
  if (kind === 'boolean') return convertValue(value, 'boolean') ?? Boolean(value);
  if (kind !== 'number' || version < 2 || typeof value !== 'string') return value;
  return isBlank(value) ? 0 : (convertValue(value, 'number') ?? value);
}
