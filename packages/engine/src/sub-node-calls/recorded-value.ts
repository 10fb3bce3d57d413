import { type JsonObject, type JsonValue, userKeyed } from '@sluice/domain';

/** Maximum length of a list of numbers that is recorded in full; longer lists are vectors. */
const maxNumbers = 16;
/** Maximum depth; values that a run could not store are truncated. */
const maxDepth = 50;

/** An output in recorded form. */
interface Recorded {
  json: JsonObject;
  /** `boxed`: the output is `response`. `partial`: it cannot be restored. */
  marks: { boxed?: true; partial?: true };
}

/**
 * A copy of the input or output of a capability for run data. Bytes and vectors are recorded by
 * their size. A value that is not an object becomes `{ response: value }`.
 */
export function toRecordedJson(value: unknown): JsonObject {
  return toRecorded(value).json;
}

/**
 * Like `toRecordedJson`, with the information needed to restore the value. `hasVectors`: long lists
 * of numbers are vectors.
 */
export function toRecorded(value: unknown, hasVectors = true): Recorded {
  const copier = new Copier(hasVectors);
  const copy = copier.copy(value, 0);
  const isObject = typeof copy === 'object' && copy !== null && !Array.isArray(copy);
  const json = isObject ? copy : { response: copy };
  return { json, marks: { ...(!isObject && { boxed: true }), ...(!copier.isWhole && { partial: true }) } };
}

class Copier {
  readonly #hasVectors: boolean;
  isWhole = true;

  constructor(hasVectors: boolean) {
    this.#hasVectors = hasVectors;
  }

  copy(value: unknown, depth: number): JsonValue {
    if (value instanceof Uint8Array) return this.#instead({ bytes: value.byteLength });
    if (depth > maxDepth) return this.#instead('…');
    if (Array.isArray(value)) return this.#list(value, depth);
    if (typeof value === 'object' && value !== null) {
      const members = Object.entries(value).filter(([, member]) => member !== undefined && typeof member !== 'function');
      return userKeyed(members.map(([name, member]) => [name, this.copy(member, depth + 1)] as const));
    }
    if (typeof value === 'string' || typeof value === 'boolean') return value;
    return typeof value === 'number' && Number.isFinite(value) ? value : null;
  }

  #list(list: readonly unknown[], depth: number): JsonValue {
    const isVector = this.#hasVectors && list.length > maxNumbers && list.every((member) => typeof member === 'number');
    return isVector ? this.#instead({ numbers: list.length }) : list.map((member) => this.copy(member, depth + 1));
  }

  #instead(value: JsonValue): JsonValue {
    this.isWhole = false;
    return value;
  }
}
