import { isJsonObject, type JsonObject, type JsonValue, NodeOperationError, TimeSlice } from '@sluice/node-sdk';
import type { BSON, Document } from 'mongodb';
import { isBoundedBson } from '../../clients/bson-size.ts';
import { maxElements } from '../../clients/mongo-library.ts';
import { setOwn } from '../../shared/field-path.ts';
import { toJson } from '../../shared/to-json.ts';

/** The library's serializer and types. */
export type Bson = typeof BSON;

/**
 * A document as JSON: IDs in hex, dates in ISO 8601, bytes in base64, numbers that JSON cannot
 * represent exactly as text. Large documents are converted in time slices. Throws if it has too
 * many fields and elements.
 */
export async function documentToJson(bytes: Buffer, bson: Bson, itemIndex: number): Promise<JsonObject> {
  if (!isBoundedBson(bytes, { maxElements }))
    throw new NodeOperationError(`a document has more than ${maxElements} fields and elements`, {
      itemIndex,
      description: 'Read fewer fields, with a projection',
    });
  const slice = new TimeSlice();
  return (await valueToJson(bson.deserialize(bytes, { promoteBuffers: true }), slice)) as JsonObject;
}

async function valueToJson(value: unknown, slice: TimeSlice): Promise<JsonValue> {
  if (slice.isOver) await slice.next();
  return Array.isArray(value) ? listToJson(value, slice) : membersToJson(value as Document, slice);
}

async function listToJson(list: readonly unknown[], slice: TimeSlice): Promise<JsonValue[]> {
  const json: JsonValue[] = [];
  for (const member of list) {
    json.push(isContainer(member) ? await valueToJson(member, slice) : scalarToJson(member));
    if (slice.isOver) await slice.next();
  }
  return json;
}

async function membersToJson(document: Document, slice: TimeSlice): Promise<JsonObject> {
  const json: JsonObject = {};
  const entries = Object.entries(document);
  for (const [name, member] of entries) {
    setOwn(json, name, isContainer(member) ? await valueToJson(member, slice) : scalarToJson(member));
    if (slice.isOver) await slice.next();
  }
  return json;
}

function isContainer(value: unknown): value is object {
  if (typeof value !== 'object' || value === null) return false;
  return !(value instanceof Date || value instanceof Uint8Array || '_bsontype' in value);
}

function scalarToJson(value: unknown): JsonValue {
  return typeof value === 'object' && value !== null && '_bsontype' in value ? typedToJson(value) : toJson(value);
}

function typedToJson(value: object): JsonValue {
  const { _bsontype: type, buffer } = value as { _bsontype: unknown; buffer?: unknown };
  if (type === 'Binary' && buffer instanceof Uint8Array) return toJson(buffer);
  return ['ObjectId', 'Long', 'Decimal128', 'UUID', 'Timestamp', 'BSONSymbol'].includes(`${type}`)
    ? value.toString()
    : toJson(JSON.parse(JSON.stringify(value)));
}

/**
 * Reads a document from a parameter, with Extended JSON for other types: `{"$oid": "…"}`,
 * `{"$date": "…"}`. An `_id` in hex becomes an ObjectId.
 */
export function toDocument(json: JsonValue, parameter: string, itemIndex: number, bson: Bson): Document {
  if (!isJsonObject(json))
    throw new NodeOperationError(`the parameter "${parameter}" must be a JSON object`, {
      itemIndex,
      description: 'Use an object in braces, with its keys in quotes',
    });
  const document = bson.EJSON.deserialize(json) as Document;
  return '_id' in document ? { ...document, _id: toId(document['_id'], bson) } : document;
}

/** Converts 24 hexadecimal digits to an ObjectId; other values are unchanged. */
export function toId(value: unknown, bson: Bson): unknown {
  return typeof value === 'string' && /^[0-9a-f]{24}$/i.test(value) ? bson.ObjectId.createFromHexString(value) : value;
}
