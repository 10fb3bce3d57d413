import { type ExecuteContext, type JsonObject, type JsonValue, NodeOperationError } from '@sluice/node-sdk';
import type { Document } from 'mongodb';
import { parseFieldPath, readField, setOwn } from '../../shared/field-path.ts';
import { booleanParameter, namesParameter, textParameter } from '../../shared/parameters.ts';
import { type Bson, toId } from './bson-values.ts';

/** What an item gives a document: the fields that are named, dates among them as such. */
export interface ItemDocument {
  /** As it is written. */
  document: Document;
  /** The same as JSON. */
  json: JsonObject;
}

/** The fields of `fields`; with `useDotNotation` a dot leads into objects, and stays in the name. Throws where none is named. */
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
  const date = new Date(typeof value === 'number' ? value : String(value));
  if (!Number.isNaN(date.getTime())) return date;
  throw new NodeOperationError(`the field "${name}" is no date`, {
    itemIndex,
    description: 'Give an ISO date, or take the field out of the date fields',
  });
}

/** What finds the document that an item changes, by `updateKey`, and what is changed in it. */
export function keyedDocument(context: ExecuteContext, item: JsonObject, itemIndex: number, bson: Bson) {
  const key = textParameter(context, 'updateKey', itemIndex, 'id').trim() || 'id';
  const dotNotation = booleanParameter(context, 'options.useDotNotation', itemIndex, false);
  const value = readField(item, parseFieldPath(key, dotNotation));
  if (value === undefined)
    throw new NodeOperationError(`the item has no field "${key}" to find the document by`, {
      itemIndex,
      description: 'Check "updateKey" and what arrives at the node',
    });
  const { document, json } = itemDocument(context, item, itemIndex, bson);
  const { _id, ...change } = document;
  const isId = key === '_id';
  return { filter: { [key]: isId ? toId(value, bson) : value } as Document, change: isId ? change : document, json };
}
