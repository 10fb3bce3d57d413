import type { ExecuteContext, JsonObject } from '@sluice/node-sdk';
import { FieldEditor, parseFieldPath, readField } from '../../shared/field-path.ts';
import { booleanParameter, choiceParameter, namesParameter } from '../../shared/parameters.ts';

/**
 * Fields of the input item's JSON that are kept: by default, all fields up to version 3.2, and no
 * fields later.
 */
export function includedFields(context: ExecuteContext, itemIndex: number, json: JsonObject): JsonObject {
  switch (inclusion(context, itemIndex)) {
    case 'none':
      return {};
    case 'selected':
      return select(context, itemIndex, json);
    case 'except':
      return except(context, itemIndex, json);
    case 'all':
      return json;
  }
}

/**
 * Whether the item's files are kept: by default in versions 1 and 2, with an option up to 3.3, and
 * along with other fields from 3.4 on.
 */
export function keepsBinary(context: ExecuteContext, itemIndex: number): boolean {
  if (context.typeVersion < 3) return !booleanParameter(context, 'keepOnlySet', itemIndex, false);
  if (context.typeVersion < 3.4) return booleanParameter(context, 'options.includeBinary', itemIndex, false);
  return inclusion(context, itemIndex) !== 'none' && !booleanParameter(context, 'options.stripBinary', itemIndex, false);
}

function inclusion(context: ExecuteContext, itemIndex: number): 'all' | 'none' | 'selected' | 'except' {
  if (context.typeVersion < 3) return booleanParameter(context, 'keepOnlySet', itemIndex, false) ? 'none' : 'all';
  if (context.typeVersion >= 3.3 && !booleanParameter(context, 'includeOtherFields', itemIndex, false)) return 'none';
  return choiceParameter(context, 'include', itemIndex, ['all', 'none', 'selected', 'except'], 'all');
}

/** A selected `a.b` is output under the part after its last dot, `b`. */
function select(context: ExecuteContext, itemIndex: number, json: JsonObject): JsonObject {
  const dotNotation = usesDots(context, itemIndex);
  const selected = new FieldEditor({});
  for (const name of namesParameter(context, 'includeFields', itemIndex)) {
    const key = dotNotation ? name.slice(name.lastIndexOf('.') + 1) : name;
    selected.set(parseFieldPath(key, dotNotation), readField(json, parseFieldPath(name, dotNotation)));
  }
  return selected.json;
}

function except(context: ExecuteContext, itemIndex: number, json: JsonObject): JsonObject {
  const dotNotation = usesDots(context, itemIndex);
  const rest = new FieldEditor(json);
  for (const name of namesParameter(context, 'excludeFields', itemIndex)) rest.remove(parseFieldPath(name, dotNotation));
  return rest.json;
}

/** Whether a dot in a name refers to a nested field. */
export function usesDots(context: ExecuteContext, itemIndex: number): boolean {
  return booleanParameter(context, 'options.dotNotation', itemIndex, true);
}
