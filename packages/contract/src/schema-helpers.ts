import { idPattern, type JsonObject, type JsonValue, maxConcurrency } from '@sluice/domain';
import type { TString, TUnsafe } from 'typebox';
import { type Static, type TSchema, Type } from './schema-builder.ts';

/**
 * A keyword with a message that replaces Ajv's own for a failed pattern or format; an extension
 * field for OpenAPI. Declare it to Ajv with `addKeyword`.
 */
export const messageKeyword = 'x-message';

/**
 * An object whose keys users choose. (`Type.Record` would check keys with a pattern that line
 * breaks bypass.)
 */
export function dictionary<T extends TSchema>(
  values: T,
  options: { description?: string } = {},
): TUnsafe<Record<string, Static<T>>> {
  return Type.Unsafe<Record<string, Static<T>>>({ type: 'object', additionalProperties: values, ...options });
}

/** The schema or null, as a list of types: one clear message instead of a message per branch. */
export function nullable<T extends TSchema>(schema: T): TUnsafe<Static<T> | null> {
  const { type, enum: values } = schema as { type?: unknown; enum?: unknown[] };
  return Type.Unsafe<Static<T> | null>({ ...schema, type: [type, 'null'], ...(values && { enum: [...values, null] }) });
}

/**
 * The schema with an example for the API document, if an example composed of its parts would be
 * unclear.
 */
export function withExample<T extends TSchema>(schema: T, example: JsonValue): T {
  return { ...schema, examples: [example] };
}

/** One of several strings. */
export function oneOf<const T extends string>(
  values: readonly T[],
  options: { description?: string; examples?: readonly T[] } = {},
): TUnsafe<T> {
  return Type.Unsafe<T>({ type: 'string', enum: [...values], ...options });
}

/**
 * Refuses other properties. For filters, where a misspelled name would select more than requested.
 */
export const noOthers = { additionalProperties: false };

/** A number of executions that may run at once. */
export const concurrencyLimit = Type.Integer({
  minimum: 1,
  maximum: maxConcurrency,
  description: 'maximum number of its executions that run at once; further ones wait',
});

/** Any JSON object, stored unchanged. */
export const jsonObject = Type.Unsafe<JsonObject>({ type: 'object' });

/** Text that Postgres can store: well formed, without U+0000. */
export const storableText = Type.String({
  pattern: '^[^\\u0000\\ud800-\\udfff]*$',
  [messageKeyword]: 'must be well-formed text without U+0000',
});

/** A name from a user: 1 to 128 code points, not blank, storable. */
export const nameText = Type.String({
  maxLength: 128,
  pattern: '^(?=[\\s\\S]*\\S)[^\\u0000\\ud800-\\udfff]*$',
  [messageKeyword]: 'must be well-formed text that is not blank and has no U+0000',
});

/** An id that callers may choose, so that an export can be imported again. */
export const chosenId = Type.String({ pattern: idPattern, [messageKeyword]: 'must be 1 to 64 letters, digits, _ or -' });

/** A time in a response: ISO 8601, UTC. */
export function timestampOf(description: string): TString {
  return Type.String({ format: 'date-time', description });
}

export const timestamp = timestampOf('ISO 8601, UTC');

/** An empty body, for status 204. */
export const noContent = Type.Null();

/** An ISO 8601 date or date-time from a caller; UTC without an offset. */
export const instant = Type.String({ format: 'instant', [messageKeyword]: 'must be an ISO 8601 date or date-time' });
