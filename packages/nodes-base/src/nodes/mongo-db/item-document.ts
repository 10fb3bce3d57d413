import { type ExecuteContext, isJsonObject, type JsonObject, type JsonValue, NodeOperationError } from '@sluice/node-sdk';
import type { Document } from 'mongodb';
import { stringOf } from '../../shared/coerced-text.ts';
import { parseFieldPath, readField, setOwn } from '../../shared/field-path.ts';
import { booleanParameter, namesParameter, textParameter } from '../../shared/parameters.ts';
import { type Bson, toId } from './bson-values.ts';

/** Document from the selected fields of an item, with date fields as dates. */
interface ItemDocument {
  /** The document to write. */
  document: Document;
  /** The same document as JSON. */
  json: JsonObject;
}

/**
 * The fields in `fields`; with `useDotNotation`, a dot reads nested fields and is kept in the name.
 * Throws if there are no fields.
 */
export function itemDocument(context: ExecuteContext, item: JsonObject, itemIndex: number, bson: Bson): ItemDocument {
  const names = namesParameter(context, 'fields', itemIndex);
  if (names.length === 0)
    throw new NodeOperationError('the parameter "fields" must name at least one field', {
      itemIndex,
      description: 'Name the fields of the item to write, separated by commas',
    });
  const dates = new Set(namesParameter(context, 'options.dateFields', itemIndex));
  const dotNotation = booleanParameter(context, 'options.useDotNotation', itemIndex, false);
  const [document, json]: [Document, JsonObject] = [{}, {}];
  for (const name of names) {
    const value = readField(item, parseFieldPath(name, dotNotation)) ?? null;
    setOwn(json, name, value);
    setOwn(document, name, written(value, name, { isDate: dates.has(name), itemIndex, bson }) as JsonValue);
  }
  return { document, json };
}

function written(
  value: JsonValue,
  name: string,
  { isDate, itemIndex, bson }: { isDate: boolean; itemIndex: number; bson: Bson },
): unknown {
  if (name === '_id') return toId(value, bson);
  if (!isDate || value === null) return value;
  const date = new Date(typeof value === 'number' ? value : stringOf(value));
  if (!Number.isNaN(date.getTime())) return date;
  throw new NodeOperationError(`the field "${name}" is not a date`, {
    itemIndex,
    description: 'Use an ISO date, or remove the field from the date fields',
  });
}

/** Filter by `updateKey` and changes for the document that an item updates. */
export function keyedDocument(context: ExecuteContext, item: JsonObject, itemIndex: number, bson: Bson) {
  const key = textParameter(context, 'updateKey', itemIndex, 'id').trim() || 'id';
  const dotNotation = booleanParameter(context, 'options.useDotNotation', itemIndex, false);
  const value = readField(item, parseFieldPath(key, dotNotation));
  if (value === undefined)
    throw new NodeOperationError(`the item has no field "${key}" to find the document by`, {
      itemIndex,
      description: 'Check "updateKey" and the node’s input',
    });
  const { document, json } = itemDocument(context, item, itemIndex, bson);
  const { _id, ...change } = document;
  const isId = key === '_id';
  // An object in an item may look like a condition: `{ "$ne": null }` would find any document.
  const wanted = isJsonObject(value) ? { $eq: value } : isId ? toId(value, bson) : value;
  return { filter: { [key]: wanted } as Document, change: isId ? change : document, json };
}
