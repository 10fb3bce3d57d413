import { isJsonObject, type JsonObject, type JsonValue, ownProperty } from '@sluice/domain';
import type { NodeProperty } from '../description.ts';
import type { ParameterReport } from './parameter-report.ts';
import { isExpression } from './written-value.ts';

/**
 * Reports visible parameters with an `emptyHint`. Skipped if there are other problems, which may be
 * the cause.
 */
export function reportEmpty(shownProperties: readonly NodeProperty[], values: JsonObject, report: ParameterReport): void {
  if (report.problems.some(({ kind }) => kind !== 'unknown' && kind !== 'unused')) return;
  for (const { name, type, emptyHint } of shownProperties) {
    if (!emptyHint) continue;
    const value = ownProperty(values, name);
    const entries = isJsonObject(value) && type === 'filter' ? [value['conditions'] ?? []] : Object.values(value ?? {});
    const hasEntries = isExpression(value) || entries.some((one) => isExpression(one) || hasMembers(one));
    if (!hasEntries) report.at(name).hasNoEntries(emptyHint);
  }
}

/** `Object.keys` would list the elements of a list, which may have a million. */
const hasMembers = (value: JsonValue): boolean =>
  Array.isArray(value) || typeof value === 'string' ? value.length > 0 : Object.keys(value ?? {}).length > 0;

/** Reports visible required parameters that are empty. */
export function reportMissing(shownProperties: readonly NodeProperty[], values: JsonObject, report: ParameterReport): void {
  for (const { name, required } of shownProperties) {
    if (required && (ownProperty(values, name) ?? '') === '') report.at(name).missing();
  }
}
