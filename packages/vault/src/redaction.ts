import { type JsonObject, type JsonValue, userKeyed, ValidationError } from '@sluice/domain';

/** Stands in for a secret in what is shown; sent back, it keeps the stored value. */
export const redactedText = '***REDACTED***';

/** What redaction needs to know of a credential type. */
export interface RedactionRules {
  /** Fields that the type's schema names. Any other is treated as a secret. */
  knownFields: ReadonlySet<string>;
  secretFields: ReadonlySet<string>;
}

/** The data with every secret field, and every field that the type does not know, replaced as a whole. */
export function redact(data: JsonObject, rules: RedactionRules): JsonObject {
  return userKeyed(
    Object.entries(data).map(([field, value]): [string, JsonValue] => [field, isShown(field, rules) ? value : redactedText]),
  );
}

/**
 * `given` with the stored value in place of each placeholder. Throws `ValidationError` for a placeholder without a stored value; `path` is
 * where `given` stands in the request.
 */
export function restoreRedacted(given: JsonObject, stored: JsonObject, path = '/data'): JsonObject {
  return userKeyed(
    Object.entries(given).map(([field, value]): [string, JsonValue] => {
      if (value !== redactedText) return [field, value];
      if (!Object.hasOwn(stored, field)) throw nothingToKeep(field, path);
      return [field, stored[field] as JsonValue];
    }),
  );
}

/** Whether a field of `given` asks for the stored value. */
export function hasRedacted(given: JsonObject): boolean {
  return Object.values(given).includes(redactedText);
}

/** Values of the fields that `redact` hides. */
export function secretValues(data: JsonObject, rules: RedactionRules): JsonValue[] {
  return Object.entries(data).flatMap(([field, value]) => (isShown(field, rules) ? [] : [value]));
}

function isShown(field: string, { knownFields, secretFields }: RedactionRules): boolean {
  return knownFields.has(field) && !secretFields.has(field);
}

function nothingToKeep(field: string, path: string): ValidationError {
  const message = `holds ${redactedText}, but there is no stored value to keep`;
  return new ValidationError('the request is not valid', [{ path: `${path}/${field.slice(0, 128)}`, message }]);
}
