import {
  credentialLimits,
  invalidRequest,
  type JsonObject,
  type JsonValue,
  userKeyed,
  type ValidationError,
} from '@sluice/domain';

/** Replaces a secret in displayed data; if it is sent back, the stored value is kept. */
export const redactedText = '***REDACTED***';

/** The properties of a credential type that redaction needs. */
export interface RedactionRules {
  /** Fields that the type's schema defines. Any other field is treated as a secret. */
  knownFields: ReadonlySet<string>;
  secretFields: ReadonlySet<string>;
}

/**
 * The data with all secret fields, and all fields that the type does not define, replaced entirely.
 */
export function redact(data: JsonObject, rules: RedactionRules): JsonObject {
  return userKeyed(
    Object.entries(data).map(([field, value]): [string, JsonValue] => [field, isShown(field, rules) ? value : redactedText]),
  );
}

/**
 * `update` with each placeholder replaced by the stored value. Throws `ValidationError` for a
 * placeholder without a stored value, and for too many fields; `path` is the location of `update`
 * in the request.
 */
export function restoreRedacted(update: JsonObject, stored: JsonObject, path = '/data'): JsonObject {
  if (Object.keys(update).length > credentialLimits.fields) throw tooManyFields(path);
  return userKeyed(
    Object.entries(update).map(([field, value]): [string, JsonValue] => {
      if (value !== redactedText) return [field, value];
      if (!Object.hasOwn(stored, field)) throw nothingToKeep(field, path);
      return [field, stored[field] as JsonValue];
    }),
  );
}

/** Whether a field of `data` is a placeholder. */
export function hasRedacted(data: JsonObject): boolean {
  return Object.values(data).includes(redactedText);
}

/** Values of the fields that `redact` hides. */
export function secretValues(data: JsonObject, rules: RedactionRules): JsonValue[] {
  return Object.entries(data).flatMap(([field, value]) => (isShown(field, rules) ? [] : [value]));
}

function isShown(field: string, { knownFields, secretFields }: RedactionRules): boolean {
  return knownFields.has(field) && !secretFields.has(field);
}

function tooManyFields(path: string): ValidationError {
  return invalidRequest(path, `must not have more than ${credentialLimits.fields} fields`);
}

function nothingToKeep(field: string, path: string): ValidationError {
  const message = `is ${redactedText}, but there is no stored value to keep`;
  return invalidRequest(`${path}/${field.slice(0, 128)}`, message);
}
