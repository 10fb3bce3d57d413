import {
  type ExecuteContext,
  type Item,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  NodeOperationError,
  ownProperty,
  TimeSlice,
} from '@sluice/node-sdk';
import { stringOf } from '../../shared/coerced-text.ts';
import { convertValue } from '../../shared/convert-value.ts';
import { setOwn } from '../../shared/field-path.ts';
import { describeValue } from '../../shared/parameters.ts';

/**
 * The items that a workflow is called with: the node's items, with the values mapped to declared
 * inputs.
 */
export async function toCallInput(context: ExecuteContext): Promise<Item[]> {
  const inputs: Item[] = [];
  const slice = new TimeSlice();
  for (const [itemIndex, item] of context.items().entries()) {
    if (slice.isOver) await slice.next();
    inputs.push(mapped(context, item, itemIndex));
  }
  return inputs;
}

/**
 * From version 1.2 on: all of the item's fields, with mapped values replacing fields of the same
 * name. If a mapped value is null or absent, or an input was removed, the field is removed.
 */
function mapped(context: ExecuteContext, item: Item, itemIndex: number): Item {
  const mapping = context.typeVersion < 1.2 ? undefined : context.parameter<JsonValue>('workflowInputs', itemIndex);
  if (!isJsonObject(mapping)) return item;
  const json: JsonObject = { ...item.json };
  for (const name of [...writtenNames(context), ...removedNames(inputsOf(mapping))]) delete json[name];
  for (const [name, value] of mappedValues(mapping, itemIndex)) setOwn(json, name, value);
  return { ...item, json };
}

/** Values for a workflow's inputs, as assigned by a mapping; excludes null and removed inputs. */
export function mappedValues(mapping: JsonObject, itemIndex: number): [string, JsonValue][] {
  const inputs = inputsOf(mapping);
  const converts = mapping['attemptToConvertTypes'] === true;
  return Object.entries(objectIn(mapping, 'value')).flatMap(([name, value]) => {
    const input = inputs.get(name);
    if (value === null || input?.['removed'] === true) return [];
    return [[name, typed(value, input, converts, itemIndex)]];
  });
}

/** Names that have a mapped value, even if its expression returned no value. */
function writtenNames({ node }: ExecuteContext): string[] {
  const mapping = ownProperty(node.parameters, 'workflowInputs');
  return isJsonObject(mapping) ? Object.keys(objectIn(mapping, 'value')) : [];
}

function objectIn(json: JsonObject, name: string): JsonObject {
  const value = ownProperty(json, name);
  return isJsonObject(value) ? value : {};
}

/** The inputs that existed when the mapping was made, by name. */
function inputsOf({ schema }: JsonObject): ReadonlyMap<string, JsonObject> {
  const inputs = Array.isArray(schema) ? schema.filter((entry) => isJsonObject(entry)) : [];
  return new Map(inputs.map((input) => [stringOf(input['id'] ?? input['displayName']), input]));
}

function removedNames(inputs: ReadonlyMap<string, JsonObject>): string[] {
  return [...inputs].filter(([, input]) => input['removed'] === true).map(([name]) => name);
}

const types = ['string', 'number', 'boolean', 'array', 'object'] as const;

/**
 * A value of the input's type. Throws a `NodeOperationError` if the value has another type and
 * cannot be converted.
 */
function typed(value: JsonValue, input: JsonObject | undefined, convert: boolean, itemIndex: number): JsonValue {
  const type = types.find((candidate) => candidate === input?.['type']);
  if (!input || type === undefined) return value;
  const result = convertValue(value, type);
  if (result !== undefined && (convert || typeOf(value) === type)) return result;
  throw new NodeOperationError(
    `the workflow input "${stringOf(input['id'] ?? input['displayName'])}" must be of type ${type}, but is ${describeValue(value)}`,
    { itemIndex, description: 'Change the value, or let the mapping convert types' },
  );
}

function typeOf(value: JsonValue): string {
  return Array.isArray(value) ? 'array' : typeof value;
}
