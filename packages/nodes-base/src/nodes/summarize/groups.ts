import type { Item, JsonValue } from '@sluice/node-sdk';
import { stringOf } from '../../shared/coerced-text.ts';
import { readField } from '../../shared/field-path.ts';
import type { NamedField } from '../../shared/named-fields.ts';

/**
 * A value to split by; objects and lists are represented by their JSON. `undefined`: a missing
 * value.
 */
type SplitValue = string | number | boolean | null | undefined;

/** Items with equal values in the fields to split by. */
export interface Group {
  /**
   * Values of the fields to split by, in order. Incomplete if no item in the group has a value in
   * the next field: the group then has no indexes.
   */
  values: SplitValue[];
  indexes: number[];
}

/**
 * How values are distinguished. `texts`: as strings, so 1 equals `1`, and `undefined` equals null.
 * `names`: as strings, whole numbers first, in JavaScript's property order. `values`: by type and
 * value.
 */
export type SplitBy = 'texts' | 'names' | 'values';

export interface SplitRules {
  by: SplitBy;
  /**
   * Items with an empty value are omitted: empty text, false, and missing values. `texts` omits
   * only empty text; `values` also omits null.
   */
  skipEmpty: boolean;
}

/**
 * Groups by the first field, within them by the second, and so on; each in the order of its first
 * item.
 */
export function groupsOf(items: readonly Item[], splitBy: readonly NamedField[], rules: SplitRules): Group[] {
  const split = (indexes: number[], [field, ...others]: readonly NamedField[]): Group[] => {
    if (!field) return [{ values: [], indexes }];
    const values = new Map(indexes.map((index) => [index, splitValue(items[index] as Item, field, rules)]));
    const present = rules.skipEmpty ? indexes.filter((index) => !isEmpty(values.get(index))) : indexes;
    if (present.length === 0) return [{ values: [], indexes: [] }];
    return grouped(present, (index) => values.get(index), rules).flatMap(([value, members]) =>
      split(members, others).map((group) => ({ values: [value, ...group.values], indexes: group.indexes })),
    );
  };
  return split([...items.keys()], splitBy);
}

function splitValue({ json }: Item, { path }: NamedField, { by }: SplitRules): SplitValue {
  const value: JsonValue | undefined = readField(json, path);
  if (typeof value === 'object' && value !== null) return JSON.stringify(value);
  return by === 'texts' || (by === 'names' && value === null) ? stringOf(value) : value;
}

function isEmpty(value: SplitValue): boolean {
  return !value && value !== 0;
}

function grouped(
  indexes: readonly number[],
  valueAt: (index: number) => SplitValue,
  { by }: SplitRules,
): (readonly [SplitValue, number[]])[] {
  if (by !== 'names') return [...Map.groupBy(indexes, valueAt)];
  const byName = Object.groupBy(indexes, (index) => stringOf(valueAt(index)));
  return Object.entries(byName).map(([name, members]) => [name, members ?? []]);
}
