import { isJsonObject, type JsonObject, type JsonValue, NodeOperationError, ownProperty } from '@sluice/node-sdk';
import { asText, objectsOf } from './json-values.ts';
import type { ServiceItem } from './service-item.ts';

/** The columns that a resource mapper assigns to one item. */
export interface MappedColumns {
  /** Column → value; empty values are omitted. */
  values: JsonObject;
  /** Columns that identify an existing record. */
  matching: readonly string[];
}

/**
 * Reads a resource mapper: `{ mappingMode, value, matchingColumns, schema }`. With
 * `autoMapInputData` the values are the item's fields, otherwise the values that the author set.
 * Text becomes a number, a boolean, or a list if the schema has such a column type.
 */
export function mappedColumns(item: ServiceItem, path = 'columns', ignored: readonly string[] = []): MappedColumns {
  const mapper = item.context.parameter<JsonValue>(path, item.index) ?? {};
  if (!isJsonObject(mapper)) throw wrongMapper(item, path);
  const schema = new Map(
    objectsOf(mapper['schema']).map((column): [string, JsonObject] => [asText(column['id'] ?? ''), column]),
  );
  const isAutomatic = mapper['mappingMode'] === 'autoMapInputData';
  const columns = isAutomatic ? (item.context.items()[item.index]?.json ?? {}) : (mapper['value'] ?? {});
  if (!isJsonObject(columns)) throw wrongMapper(item, path);
  const isUsed = ([name, value]: [string, JsonValue]) =>
    value !== null && !ignored.includes(name) && (isAutomatic || schema.get(name)?.['removed'] !== true);
  const values = Object.entries(columns)
    .filter(isUsed)
    .map(([name, value]): [string, JsonValue] => [name, converted(value, schema.get(name)?.['type'])]);
  return { values: Object.fromEntries(values), matching: textsIn(mapper['matchingColumns']) };
}

function converted(value: JsonValue, type: JsonValue | undefined): JsonValue {
  if (typeof value !== 'string') return value;
  const text = value.trim();
  if (type === 'number' && text !== '' && Number.isFinite(Number(text))) return Number(text);
  if (type === 'boolean' && (text === 'true' || text === 'false')) return text === 'true';
  return type === 'array' && text.startsWith('[') ? listIn(text) : value;
}

/** Longest text that is parsed at once. */
const maxListLength = 1_000_000;

/** A list in JSON; other text is unchanged, and the service may reject it. */
function listIn(text: string): JsonValue {
  if (text.length > maxListLength) return text;
  try {
    return JSON.parse(text) as JsonValue;
  } catch {
    return text;
  }
}

function wrongMapper(item: ServiceItem, path: string): NodeOperationError {
  const description = 'Set it to an object such as { "mappingMode": "defineBelow", "value": { "Name": "Ada" } }';
  return new NodeOperationError(`the parameter "${path}" assigns no columns`, { itemIndex: item.index, description });
}

const textsIn = (value: JsonValue | undefined): string[] =>
  (Array.isArray(value) ? value : []).filter((one) => typeof one === 'string');

/** A matching column's value, which is required. */
export function matchingValue(item: ServiceItem, values: JsonObject, column: string): JsonValue {
  const value = ownProperty(values, column);
  if (value === undefined || value === '')
    throw new NodeOperationError(`the column "${column}" has no value to match`, {
      itemIndex: item.index,
      description: 'Give each matching column a value, or choose another one in "Columns to Match On"',
    });
  return value;
}
