import { type JsonObject, type JsonValue, jsonObjectIn, ownProperty } from '@sluice/domain';

/**
 * Shorter secrets are not redacted: they occur in any message by chance, and redaction would reveal
 * them.
 */
const shortestMarked = 4;

/**
 * Removes the values of secret fields, in any transmitted form, from the message of a library or
 * service.
 */
export function redactSecrets(message: string, data: JsonObject, secretFields: readonly string[]): string {
  const forms = secretFields.flatMap((field) => textsWithin(ownProperty(data, field))).flatMap(formsOf);
  return forms
    .filter((form) => form.length >= shortestMarked)
    .sort((a, b) => b.length - a.length)
    .reduce((text, form) => text.replaceAll(form, '***'), message);
}

function textsWithin(value: JsonValue | undefined): string[] {
  if (typeof value === 'string') return [value, ...textsWithin(jsonObjectIn(value))];
  if (typeof value !== 'object' || value === null) return [];
  return Object.values(value).flatMap(textsWithin);
}

/** Plain, URL-encoded, and Basic-encoded; for a URL also its password. */
function formsOf(secret: string): string[] {
  const password = /^[a-z][a-z0-9+.-]*:\/\/[^/@:]*:([^/@]+)@/i.exec(secret)?.[1];
  const encoded = [encodeURIComponent(secret.toWellFormed()), Buffer.from(secret).toString('base64')];
  return [secret, ...encoded, ...(password === undefined ? [] : [password, decoded(password)])];
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
