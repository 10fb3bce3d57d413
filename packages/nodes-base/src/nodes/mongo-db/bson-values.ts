import { isJsonObject, type JsonObject, type JsonValue, NodeOperationError } from '@sluice/node-sdk';
import type { BSON, Document } from 'mongodb';
import { setOwn } from '../../shared/field-path.ts';
import { toJson } from '../../shared/to-json.ts';

/** The library's serializer and types. */
export type Bson = typeof BSON;

/**
 * A document as JSON: IDs in hex, dates in ISO 8601, bytes in base64, numbers that JSON cannot
 * represent exactly as text.
 */
export function documentToJson(bytes: Uint8Array, bson: Bson): JsonObject {
  return valueToJson(bson.deserialize(bytes, { promoteBuffers: true })) as JsonObject;
}

function valueToJson(value: unknown): JsonValue {
  if (Array.isArray(value)) return value.map(valueToJson);
  if (typeof value !== 'object' || value === null || value instanceof Date || value instanceof Uint8Array) return toJson(value);
  if ('_bsontype' in value) return typedToJson(value);
  const json: JsonObject = {};
  for (const [name, member] of Object.entries(value)) setOwn(json, name, valueToJson(member));
  return json;
}

function typedToJson(value: object): JsonValue {
  const { _bsontype: type, buffer } = value as { _bsontype: unknown; buffer?: unknown };
  if (type === 'Binary' && buffer instanceof Uint8Array) return toJson(buffer);
  return ['ObjectId', 'Long', 'Decimal128', 'UUID', 'Timestamp', 'BSONSymbol'].includes(String(type))
    ? String(value)
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
