import { credentialLimits, type JsonObject, jsonLength, type ValidationIssue } from '@sluice/domain';
import { hasMoreSecrets } from '@sluice/vault';

const { fields: maxFields, bytesPerField: maxValueBytes, bytes: maxDataBytes, strings: maxSecrets } = credentialLimits;

/** Issues with credential data that exceeds a limit. */
export function sizeIssues(data: JsonObject): ValidationIssue[] {
  if (Object.keys(data).length > maxFields) return [{ path: '', message: `must not have more than ${maxFields} fields` }];
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

/** Size of a string in bytes, or of any other value as JSON; an estimate if it is far too large. */
function bytesOf(value: JsonObject[string]): number {
  const estimate = typeof value === 'string' ? 0 : jsonLength(value, 8 * maxValueBytes);
  if (estimate > 8 * maxValueBytes) return estimate;
  return Buffer.byteLength(typeof value === 'string' ? value : JSON.stringify(value));
}
