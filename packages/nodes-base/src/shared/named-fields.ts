import { type ExecuteContext, isJsonObject, type JsonObject, NodeOperationError } from '@sluice/node-sdk';
import { type FieldPath, parseFieldPath, readField, setOwn, withoutField } from './field-path.ts';
import { booleanParameter, listParameter, namesParameter } from './parameters.ts';

/** A field as a parameter names it. */
export interface NamedField {
  name: string;
  path: FieldPath;
}

/** Whether a dot in a name means a field within a field: the option that most list nodes have. */
export function usesDotNotation(context: ExecuteContext, itemIndex: number): boolean {
  return !booleanParameter(context, 'options.disableDotNotation', itemIndex, false);
}

/** The fields that a parameter names: texts separated by commas, a list of them, or `{ fields: [{ fieldName }] }` of older versions. */
export function fieldsParameter(context: ExecuteContext, parameter: string, itemIndex: number): NamedField[] {
  const dotNotation = usesDotNotation(context, itemIndex);
  return namesOf(context, parameter, itemIndex).map((name) => ({ name, path: parseFieldPath(name, dotNotation) }));
}

/** The same; throws a `NodeOperationError` where none is named. */
export function requiredFields(context: ExecuteContext, parameter: string, itemIndex: number): NamedField[] {
  const fields = fieldsParameter(context, parameter, itemIndex);
  if (fields.length > 0) return fields;
  throw new NodeOperationError(`the parameter "${parameter}" has to name at least one field`, {
    itemIndex,
    description: 'Name the field as the items have it',
  });
}

function namesOf(context: ExecuteContext, parameter: string, itemIndex: number): string[] {
  if (!isJsonObject(context.parameter(parameter, itemIndex))) return namesParameter(context, parameter, itemIndex);
  const entries = listParameter(context, `${parameter}.fields`, itemIndex);
  return entries.map(({ fieldName }) => String(fieldName ?? '').trim()).filter((name) => name !== '');
}

/** The named fields alone, each under its whole name; those that an object lacks stay out. */
export function pickFields(json: JsonObject, fields: readonly NamedField[]): JsonObject {
  const picked: JsonObject = {};
  for (const { name, path } of fields) {
    const value = readField(json, path);
    if (value !== undefined) setOwn(picked, name, value);
  }
  return picked;
}

export function withoutFields(json: JsonObject, fields: readonly NamedField[]): JsonObject {
  return fields.reduce((rest, { path }) => withoutField(rest, path), json);
}
