import { type JsonObject, type JsonValue, userKeyed } from '@sluice/domain';

/** Longest list of numbers that is recorded as it is; longer ones are vectors. */
const maxNumbers = 16;
/** Deeper values than a run may store are cut. */
const maxDepth = 50;

/**
 * A copy of the input or output of a capability for run data. Bytes and vectors are recorded by
 * their size. A value that is not an object becomes `{ response: value }`.
 */
export function shownValue(value: unknown): JsonObject {
  const copy = shown(value, 0);
  return typeof copy === 'object' && copy !== null && !Array.isArray(copy) ? copy : { response: copy };
}

function shown(value: unknown, depth: number): JsonValue {
  if (value instanceof Uint8Array) return { bytes: value.byteLength };
  if (depth > maxDepth) return '…';
  if (Array.isArray(value)) return shownList(value, depth);
  if (typeof value === 'object' && value !== null) {
    const members = Object.entries(value).filter(([, member]) => member !== undefined && typeof member !== 'function');
    return userKeyed(members.map(([name, member]) => [name, shown(member, depth + 1)] as const));
  }
  if (typeof value === 'string' || typeof value === 'boolean') return value;
  return typeof value === 'number' && Number.isFinite(value) ? value : null;
}

function shownList(list: readonly unknown[], depth: number): JsonValue {
  if (list.length > maxNumbers && list.every((member) => typeof member === 'number')) return { numbers: list.length };
  return list.map((member) => shown(member, depth + 1));
}
