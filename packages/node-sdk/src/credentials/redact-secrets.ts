import { formsOf, type JsonObject, type JsonValue, jsonObjectIn, minFormLength, ownProperty } from '@sluice/domain';

/**
 * Removes the values of secret fields, in any transmitted form, from the message of a library or
 * service.
 */
export function redactSecrets(message: string, data: JsonObject, secretFields: readonly string[]): string {
  const forms = secretFields.flatMap((field) => textsWithin(ownProperty(data, field))).flatMap(formsOf);
  return forms
    .filter((form) => form.length >= minFormLength)
    .sort((a, b) => b.length - a.length)
    .reduce((text, form) => text.replaceAll(form, '***'), message);
}

function textsWithin(value: JsonValue | undefined): string[] {
  if (typeof value === 'string') return [value, ...textsWithin(jsonObjectIn(value))];
  if (typeof value !== 'object' || value === null) return [];
  return Object.values(value).flatMap(textsWithin);
}
