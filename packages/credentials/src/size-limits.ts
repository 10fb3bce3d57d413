import { type JsonObject, jsonLength, type ValidationIssue } from '@sluice/domain';
import { hasMoreSecrets, maxCredentialFields } from '@sluice/vault';

const maxValueBytes = 64 * 1024;
const maxDataBytes = 1024 * 1024;

/** Redaction searches for 20 forms of each string: 150,000 strings take 4 s and 300 MB in each execution. */
const maxSecrets = 5_000;

/**
 * Issues of credential data that is too large: more than 1,000 fields, a value over 64 KiB, more than
 * 1 MiB in total, or more than 5,000 different strings. Stored data is not checked, only what a request sends.
 */
export function sizeIssues(data: JsonObject): ValidationIssue[] {
  if (Object.keys(data).length > maxCredentialFields)
    return [{ path: '', message: `must not have more than ${maxCredentialFields} fields` }];
  const sizes = Object.entries(data).map(([field, value]) => ({ field, bytes: bytesOf(value) }));
  const issues = sizes
    .filter(({ bytes }) => bytes > maxValueBytes)
    .map(({ field }) => ({ path: `/${field.slice(0, 128)}`, message: 'must not be larger than 64 KiB' }));
  if (issues.length > 0) return issues.slice(0, 20);
  const total = sizes.reduce((sum, { field, bytes }) => sum + bytes + Buffer.byteLength(field), 0);
  if (total > maxDataBytes) return [{ path: '', message: 'must not be larger than 1 MiB in total' }];
  if (!hasMoreSecrets(data, maxSecrets)) return [];
  return [{ path: '', message: `must not contain more than ${maxSecrets} different strings, including those in JSON` }];
}

/** Bytes of a string, or of any other value as JSON; of one that is far too large, an estimate. */
function bytesOf(value: JsonObject[string]): number {
  const estimate = typeof value === 'string' ? 0 : jsonLength(value, 8 * maxValueBytes);
  if (estimate > 8 * maxValueBytes) return estimate;
  return Buffer.byteLength(typeof value === 'string' ? value : JSON.stringify(value));
}
