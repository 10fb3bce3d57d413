import { type ExecuteContext, isJsonObject, type JsonObject, NodeOperationError } from '@sluice/node-sdk';
import { coercedText } from './coerced-text.ts';
import { FieldEditor, type FieldPath, parseFieldPath, readField, setOwn } from './field-path.ts';
import { booleanParameter, listParameter, namesParameter } from './parameters.ts';

/** A field named in a parameter. */
export interface NamedField {
  name: string;
  path: FieldPath;
}

/** Whether a dot in a name separates nested fields: an option of most list nodes. */
export function usesDotNotation(context: ExecuteContext, itemIndex: number): boolean {
  return !booleanParameter(context, 'options.disableDotNotation', itemIndex, false);
}

/**
 * The fields in a parameter: comma-separated text, a list of strings, or `{ fields: [{ fieldName }]
 * }` from older versions.
 */
export function fieldsParameter(context: ExecuteContext, parameter: string, itemIndex: number): NamedField[] {
  const dotNotation = usesDotNotation(context, itemIndex);
  return namesOf(context, parameter, itemIndex).map((name) => ({ name, path: parseFieldPath(name, dotNotation) }));
}

/** Like `fieldsParameter`; throws a `NodeOperationError` if there are no fields. */
export function requiredFields(context: ExecuteContext, parameter: string, itemIndex: number): NamedField[] {
  const fields = fieldsParameter(context, parameter, itemIndex);
  if (fields.length > 0) return fields;
  throw new NodeOperationError(`the parameter "${parameter}" must name at least one field`, {
    itemIndex,
    description: 'Use the field’s name in the items',
  });
}

function namesOf(context: ExecuteContext, parameter: string, itemIndex: number): string[] {
  if (!isJsonObject(context.parameter(parameter, itemIndex))) return namesParameter(context, parameter, itemIndex);
  const entries = listParameter(context, `${parameter}.fields`, itemIndex);
  return entries.map(({ fieldName }) => coercedText(fieldName).trim()).filter((name) => name !== '');
}

/** Only the named fields, each under its full name; missing fields are omitted. */
export function pickFields(json: JsonObject, fields: readonly NamedField[]): JsonObject {
  const picked: JsonObject = {};
  for (const { name, path } of fields) {
    const value = readField(json, path);
    if (value !== undefined) setOwn(picked, name, value);
  }
  return picked;
}

export function withoutFields(json: JsonObject, fields: readonly NamedField[]): JsonObject {
  const rest = new FieldEditor(json);
  for (const { path } of fields) rest.remove(path);
  return rest.json;
}
