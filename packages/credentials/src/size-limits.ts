import { type JsonObject, jsonLength, type ValidationIssue } from '@sluice/domain';
import { maxCredentialFields } from '@sluice/vault';

const maxValueBytes = 64 * 1024;
const maxDataBytes = 1024 * 1024;

/**
 * Issues of credential data that is too large: more than 1,000 fields, a value over 64 KiB, or more than
 * 1 MiB in total.
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
  return total > maxDataBytes ? [{ path: '', message: 'must not be larger than 1 MiB in total' }] : [];
}

/** Bytes of a text, or of any other value as JSON; of one that is far too large, an estimate. */
function bytesOf(value: JsonObject[string]): number {
  const estimate = typeof value === 'string' ? 0 : jsonLength(value, 8 * maxValueBytes);
  if (estimate > 8 * maxValueBytes) return estimate;
  return Buffer.byteLength(typeof value === 'string' ? value : JSON.stringify(value));
}
