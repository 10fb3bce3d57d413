/**
 * JSON as it crosses every boundary of the system. Objects may come from users: read own properties
 * only.
 */
export type JsonPrimitive = string | number | boolean | null;
export type JsonValue = JsonPrimitive | JsonValue[] | JsonObject;
export interface JsonObject {
  [key: string]: JsonValue;
}

export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The JSON object in a string; `undefined` if it does not contain one. */
export function jsonObjectIn(text: string): JsonObject | undefined {
  if (!/^\s*\{/.test(text)) return undefined;
  try {
    return JSON.parse(text) as JsonObject;
  } catch {
    return undefined;
  }
}

/** Matches every text with a number that is out of range: it has an exponent, or 309 digits. */
const largeNumber = /\d[eE]\+?\d|\d{309}/;

/**
 * `JSON.parse` for text that a user wrote. Throws a `SyntaxError` also for a number that a double
 * cannot represent: it would become infinity, and null when it is stored.
 */
export function parseExactJson(text: string): unknown {
  // A reviver makes the parser several times slower.
  return JSON.parse(text, largeNumber.test(text) ? refuseInfinity : undefined);
}

function refuseInfinity(_key: string, value: unknown, context?: { source?: string }): unknown {
  if (value !== Number.POSITIVE_INFINITY && value !== Number.NEGATIVE_INFINITY) return value;
  throw new SyntaxError(`the number ${(context?.source ?? '').slice(0, 20)} is out of range`);
}

/**
 * Reads an own property only, so that `constructor` or `__proto__` from a user never reach a
 * prototype.
 */
export function ownProperty<T extends object>(object: T, key: string): T[keyof T] | undefined {
  return Object.hasOwn(object, key) ? object[key as keyof T] : undefined;
}

/** An own member of an object, or an element of a list, for which `key` is its index in digits. */
export function memberOf(value: JsonValue | undefined, key: string): JsonValue | undefined {
  if (Array.isArray(value)) return /^\d+$/.test(key) ? value[Number(key)] : undefined;
  return isJsonObject(value) ? ownProperty(value, key) : undefined;
}

/** The value at a dotted path, such as `list.0.name`; `undefined` if there is none. */
export function valueAt(value: JsonValue | undefined, path: string): JsonValue | undefined {
  return path.split('.').reduce<JsonValue | undefined>(memberOf, value);
}

/** A dictionary whose keys users choose: it has no prototype, so no key is special. */
export function userKeyed<V>(entries: Iterable<readonly [string, V]> = []): Record<string, V> {
  const dictionary = Object.create(null) as Record<string, V>;
  for (const [key, value] of entries) dictionary[key] = value;
  return dictionary;
}

/** JSON with members sorted by name. */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_key, inner: unknown) =>
    typeof inner === 'object' && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  );
}

/**
 * JSON text as a part of a JSON tree, for text that is only passed on. `stringifyJson` copies it
 * into the text of a large tree, which saves parsing and serializing it.
 */
export class JsonText {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }

  toJSON(): JsonValue {
    return JSON.parse(this.text) as JsonValue;
  }
}
