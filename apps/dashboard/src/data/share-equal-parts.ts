import { replaceEqualDeep } from '@tanstack/react-query';

/**
 * The result of a query with the equal parts of the result before, so that components render only
 * what changed. A result with the key `__proto__`, such as the name of a node, is not shared: the
 * copy of the library would lose it.
 */
export function shareEqualParts(before: unknown, after: unknown): unknown {
  return before === undefined || hasPrototypeKey(after) ? after : replaceEqualDeep(before, after);
}

/** `value`: parsed JSON. */
function hasPrototypeKey(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (Array.isArray(value)) return value.some(hasPrototypeKey);
  return Object.hasOwn(value, '__proto__') || Object.values(value).some(hasPrototypeKey);
}
