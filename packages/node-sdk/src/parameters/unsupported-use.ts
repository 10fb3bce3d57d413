import { type JsonObject, type JsonValue, valueAt } from '@sluice/domain';
import { isExpression } from './written-value.ts';

/**
 * A use of parameters that a node type recognizes but does not support. A run rejects it, and an
 * import reports it.
 */
export interface UnsupportedUse {
  /** Dotted path of the parameter. */
  parameter: string;
  /** The unsupported values; absent: all except null, false, and empty strings and lists. */
  values?: readonly JsonValue[];
  /** Conditions on other parameters: path → values, one of which each must have; null: not set. */
  where?: Readonly<Record<string, readonly JsonValue[]>>;
  /** The subject of "… is not supported yet". */
  what: string;
  /** A hint for the author. */
  hint: string;
}

/** Whether parameters contain an unsupported use. `read` returns a parameter by its path. */
export function asksFor(
  { parameter, values, where = {} }: UnsupportedUse,
  read: (path: string) => JsonValue | undefined,
): boolean {
  const value = read(parameter);
  if (values ? !values.some((wanted) => wanted === value) : isEmpty(value)) return false;
  return Object.entries(where).every(([path, wanted]) => wanted.some((one) => one === (read(path) ?? null)));
}

/** The unsupported uses of a node that is not running. Expressions are not evaluated. */
export function unsupportedUsesOf(uses: readonly UnsupportedUse[], parameters: JsonObject): UnsupportedUse[] {
  const read = (path: string) => {
    const value = valueAt(parameters, path);
    return isExpression(value) ? undefined : value;
  };
  return uses.filter((use) => asksFor(use, read));
}

function isEmpty(value: JsonValue | undefined): boolean {
  if (value === undefined || value === null || value === false || value === '' || value === '[]') return true;
  return Array.isArray(value) && value.length === 0;
}
