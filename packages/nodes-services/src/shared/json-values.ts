import { isJsonObject, type JsonObject, type JsonValue } from '@sluice/node-sdk';

/** An object of a response; empty if it is something else. */
export const objectOf = (value: JsonValue | undefined): JsonObject =>
  isJsonObject(value ?? null) ? (value as JsonObject) : {};

/** Objects of a list of a response; empty if it is something else. */
export const objectsOf = (value: JsonValue | undefined): JsonObject[] =>
  Array.isArray(value) ? value.filter(isJsonObject) : [];

/** Text of a response; empty if it is something else. */
export const textOf = (value: JsonValue | undefined): string => (typeof value === 'string' ? value : '');
