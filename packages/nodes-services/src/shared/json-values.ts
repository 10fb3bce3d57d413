import { isJsonObject, type JsonObject, type JsonValue } from '@sluice/node-sdk';

/** An object; empty if the value is not an object. */
export const objectOf = (value: JsonValue | undefined): JsonObject =>
  isJsonObject(value ?? null) ? (value as JsonObject) : {};

/**
 * The objects in a list. A single object is a list of one, as editors store it; any other value is
 * an empty list.
 */
export const objectsOf = (value: JsonValue | undefined): JsonObject[] => [value ?? []].flat().filter(isJsonObject);

/** The value that an editor stores, directly or in a resource locator. */
export const locatedValue = (value: JsonValue | undefined): JsonValue | undefined =>
  isJsonObject(value ?? null) ? objectOf(value)['value'] : value;

/** Whether a list in a response has the same strings as another list, in any order. */
export function hasSameTexts(value: JsonValue | undefined, wanted: readonly string[]): boolean {
  const texts = new Set([value ?? []].flat().map(asText));
  return texts.size === new Set(wanted).size && wanted.every((one) => texts.has(one));
}

/** Members that are neither undefined nor empty text. */
export function filledFields(members: Readonly<Record<string, JsonValue | undefined>>): JsonObject {
  return Object.fromEntries(
    Object.entries(members).filter((entry): entry is [string, JsonValue] => entry[1] !== undefined && entry[1] !== ''),
  );
}

/** A string unchanged, and another value as JSON; empty if there is no value. */
export const asText = (value: JsonValue | undefined): string =>
  value === undefined || value === null ? '' : typeof value === 'string' ? value : JSON.stringify(value);

/** The parts of a text between its commas; of a list, the parts of all its entries. */
export const commaSeparated = (value: JsonValue | undefined): string[] =>
  [value ?? ''].flat().flatMap((one) => asText(one).split(','));

/** A string; empty if the value is not a string. */
export const textOf = (value: JsonValue | undefined): string => (typeof value === 'string' ? value : '');
