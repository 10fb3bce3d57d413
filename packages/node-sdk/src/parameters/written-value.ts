import { isJsonObject, type JsonObject, type JsonValue } from '@sluice/domain';
import type { ParameterReport } from './parameter-report.ts';

/**
 * Expressions are not checked as written; only their results are: objects and lists by the engine,
 * other values by the node.
 */
export const isExpression = (value: unknown): boolean => typeof value === 'string' && value.startsWith('=');

/** Whether a value is absent or empty. */
export function isBlank(value: JsonValue | undefined): boolean {
  if (typeof value === 'object' && value !== null) return Object.keys(value).length === 0;
  return value === undefined || value === null || value === '';
}

/** A resource locator can replace any parameter's plain value. */
export const isLocator = (value: JsonValue): boolean => isJsonObject(value) && value['__rl'] === true;

/** A locator without its mark, as authors write it by hand; nodes read its value. */
export const isUnmarkedLocator = (value: JsonValue): boolean => isJsonObject(value) && typeof value['value'] === 'string';

/** Editors write an empty collection as a blank string or as an empty list. */
export const isEmptyCollection = (value: JsonValue): boolean => value === '' || (Array.isArray(value) && value.length === 0);

/**
 * Runs `check` on each object of a list, and reports elements that are neither objects nor
 * expressions.
 */
export function checkObjects(
  list: readonly JsonValue[],
  at: ParameterReport,
  check: (value: JsonObject, at: ParameterReport) => void,
): void {
  for (const [index, one] of list.entries()) {
    if (at.isFull) return;
    const inner = at.at(index);
    if (isJsonObject(one)) check(one, inner);
    else if (isExpression(one)) inner.returnsContainer(one);
    else inner.expected('an object', one);
  }
}
