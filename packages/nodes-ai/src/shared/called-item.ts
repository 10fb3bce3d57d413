import {
  type ExecuteContext,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  NodeOperationError,
  ownProperty,
} from '@sluice/node-sdk';
import {
  booleanParameter,
  coercedText,
  convertValue,
  listParameter,
  mappedValues,
  setOwn,
} from '@sluice/nodes-base/node-tools';

/**
 * Since version 2: the mapped values, including those that the model chose. Without a mapping, the
 * model's text.
 */
export async function declaredInput(context: ExecuteContext, input: JsonObject, itemIndex: number): Promise<JsonObject> {
  const mapping = await context.evaluate<JsonValue>('workflowInputs', itemIndex, { $fromAI: input });
  const values = isJsonObject(mapping) ? mappedValues(mapping, itemIndex) : [];
  const json: JsonObject = {};
  if (values.length === 0) return { query: ownProperty(input, 'query') ?? '' };
  for (const [name, value] of values) setOwn(json, name, value);
  return json;
}

/** Before version 2: the model's input as `query`, and the node's fields. */
export function fieldsInput(context: ExecuteContext, input: JsonObject, itemIndex: number): JsonObject {
  const isObject = booleanParameter(context, 'specifyInputSchema', itemIndex, false);
  return withFields(context, { query: isObject ? input : (ownProperty(input, 'query') ?? '') }, itemIndex);
}

/** Adds the values of the parameter `fields`. */
export function withFields(context: ExecuteContext, fields: JsonObject, itemIndex: number): JsonObject {
  const json: JsonObject = { ...fields };
  for (const entry of listParameter(context, 'fields.values', itemIndex)) {
    const name = coercedText(entry['name']);
    if (name !== '') setOwn(json, name, valueIn(entry, name, itemIndex));
  }
  return json;
}

const kinds = ['string', 'number', 'boolean', 'array', 'object'] as const;

/** The value under the name of its type. */
function valueIn(entry: JsonObject, name: string, itemIndex: number): JsonValue {
  const kind = kinds.find((one) => entry['type'] === `${one}Value`) ?? 'string';
  const value = convertValue(ownProperty(entry, `${kind}Value`) ?? '', kind);
  if (value !== undefined) return value;
  throw new NodeOperationError(`the field "${name}" must be of type ${kind}`, {
    itemIndex,
    description: 'Change the value under "Extra Workflow Inputs"',
  });
}
