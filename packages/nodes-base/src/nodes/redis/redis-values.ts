import { isJsonObject, type JsonObject, type JsonValue, NodeOperationError, parseJson } from '@sluice/node-sdk';
import type { Redis } from 'ioredis';
import { stringOf } from '../../shared/coerced-text.ts';
import { setOwn } from '../../shared/field-path.ts';
import { parseDataParameter } from '../../shared/parameters.ts';
import { toJson } from '../../shared/to-json.ts';

export const keyTypes = ['automatic', 'hash', 'list', 'sets', 'string'] as const;
export type KeyType = (typeof keyTypes)[number];

/** Redis type name → the node's key type. */
const typeNames: ReadonlyMap<string, KeyType> = new Map([
  ['string', 'string'],
  ['hash', 'hash'],
  ['list', 'list'],
  ['set', 'sets'],
]);

/**
 * A key's value; null if it does not exist. Throws for types without a JSON form (streams, sorted
 * sets).
 */
export async function readKey(client: Redis, key: string, type: KeyType): Promise<JsonValue> {
  const keyType = type === 'automatic' ? await typeOf(client, key) : type;
  switch (keyType) {
    case 'string':
      return client.get(key);
    case 'hash':
      return toJson(await client.hgetall(key));
    case 'list':
      return client.lrange(key, 0, -1);
    case 'sets':
      return client.smembers(key);
    default:
      return null;
  }
}

async function typeOf(client: Redis, key: string): Promise<KeyType | undefined> {
  const name = await client.type(key);
  if (name === 'none') return undefined;
  const type = typeNames.get(name);
  if (type === undefined)
    throw new NodeOperationError(`the key "${key}" is a ${name}, which this node does not read`, {
      description: 'Read keys that are strings, lists, sets, or hashes',
    });
  return type;
}

/** A value to write to a key. */
interface KeyValue {
  key: string;
  value: JsonValue;
  type: KeyType;
  valueIsJson: boolean;
  itemIndex: number;
}

/** Strings and lists replace the old value; hash fields and set members are added. */
export async function writeKey(client: Redis, { key, value, type, valueIsJson, itemIndex }: KeyValue): Promise<void> {
  switch (type === 'automatic' ? automaticType(value) : type) {
    case 'hash': {
      const fields = Object.entries(await hashOf(value, valueIsJson, itemIndex)).map(([name, field]) => [name, toText(field)]);
      if (fields.length > 0) await client.hset(key, fields.flat());
      return;
    }
    case 'list':
      await replaceList(client, key, (await listOf(value)).map(toText));
      return;
    case 'sets':
      await client.sadd(key, (await listOf(value)).map(toText));
      return;
    default:
      await client.set(key, toText(value));
  }
}

function automaticType(value: JsonValue): KeyType {
  if (Array.isArray(value)) return 'list';
  return isJsonObject(value) ? 'hash' : 'string';
}

/** Maximum number of arguments in a call; about 120,000 exceed the stack. */
const maxArguments = 10_000;

async function replaceList(client: Redis, key: string, values: readonly string[]): Promise<void> {
  const replacing = client.multi().del(key);
  for (let start = 0; start < values.length; start += maxArguments)
    replacing.rpush(key, ...values.slice(start, start + maxArguments));
  for (const [error] of (await replacing.exec()) ?? []) if (error) throw error;
}

async function hashOf(value: JsonValue, isJson: boolean, itemIndex: number): Promise<JsonObject> {
  if (!isJson) return pairsOf(stringOf(value));
  const json = typeof value === 'string' ? await parseDataParameter('value', value, itemIndex) : value;
  if (isJsonObject(json)) return json;
  throw new NodeOperationError('the value of a hash must be a JSON object', {
    itemIndex,
    description: 'Use an object, or choose another key type',
  });
}

/** Alternating names and values, separated by spaces. */
function pairsOf(text: string): JsonObject {
  const words = text.trim().split(/\s+/);
  const pairs: JsonObject = {};
  for (let index = 0; index + 1 < words.length; index += 2) setOwn(pairs, words[index] ?? '', words[index + 1] ?? '');
  return pairs;
}

/** A list written as JSON; any other text becomes a list with that text as its only element. */
async function listOf(value: JsonValue): Promise<JsonValue[]> {
  if (Array.isArray(value)) return value;
  if (typeof value !== 'string' || !value.trim().startsWith('[')) return [value];
  try {
    const parsed = (await parseJson(value)) as JsonValue;
    return Array.isArray(parsed) ? parsed : [value];
  } catch {
    return [value];
  }
}

export function toText(value: JsonValue): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
