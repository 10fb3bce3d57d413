import { isJsonObject, type JsonObject, type JsonValue } from '@sluice/node-sdk';

/** An object of a response; empty if it is something else. */
export const objectOf = (value: JsonValue | undefined): JsonObject =>
  isJsonObject(value ?? null) ? (value as JsonObject) : {};

/** Objects of a list of a response; empty if it is something else. */
export const objectsOf = (value: JsonValue | undefined): JsonObject[] =>
  Array.isArray(value) ? value.filter(isJsonObject) : [];

/** Whether a list of a response has the same texts as another, in any order. */
export function hasSameTexts(value: JsonValue | undefined, wanted: readonly string[]): boolean {
  const found = new Set([value ?? []].flat().map(String));
  return found.size === new Set(wanted).size && wanted.every((one) => found.has(one));
}

/** Members that are neither undefined nor empty text. */
export function filledFields(members: Readonly<Record<string, JsonValue | undefined>>): JsonObject {
  return Object.fromEntries(
    Object.entries(members).filter((entry): entry is [string, JsonValue] => entry[1] !== undefined && entry[1] !== ''),
  );
}

/** Text of a response; empty if it is something else. */
export const textOf = (value: JsonValue | undefined): string => (typeof value === 'string' ? value : '');
