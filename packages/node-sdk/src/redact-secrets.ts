import { type JsonObject, type JsonValue, jsonObjectIn, ownProperty } from '@sluice/domain';

/** Shorter texts are left alone: they occur in any message by chance, and marking them would spell them out. */
const shortestMarked = 4;

/** A message of a library or a service, without the values of the secret fields in any of the forms in which they travel. */
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

/** As it is, as in a URL, as in Basic authentication; of a URL also the password. */
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
