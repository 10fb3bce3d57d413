import type { Item, JsonValue } from '@sluice/node-sdk';
import { readField } from '../../shared/field-path.ts';
import type { NamedField } from '../../shared/named-fields.ts';

/** A value to split by; objects and lists are their JSON. `undefined`: a missing value. */
export type SplitValue = string | number | boolean | null | undefined;

/** Items alike in the fields to split by. */
export interface Group {
  /** Of the fields to split by, in their order. */
  values: SplitValue[];
  indexes: number[];
}

export interface SplitRules {
  /** Items with an empty value are left out: an empty text, and unless values are texts a missing one, null and false. */
  skipEmpty: boolean;
  /** Every value is a text, so that 1 and `1` are alike. */
  asText: boolean;
}

/** Groups by the first field, within them by the second, and so on; each in the order of its first item. */
export function groupsOf(items: readonly Item[], splitBy: readonly NamedField[], rules: SplitRules): Group[] {
  const split = (indexes: number[], [field, ...others]: readonly NamedField[]): Group[] => {
    if (!field) return [{ values: [], indexes }];
    const byValue = Map.groupBy(indexes, (index) => splitValue(items[index] as Item, field, rules));
    if (rules.skipEmpty) for (const value of byValue.keys()) if (!value && value !== 0) byValue.delete(value);
    return [...byValue].flatMap(([value, members]) =>
      split(members, others).map((group) => ({ values: [value, ...group.values], indexes: group.indexes })),
    );
  };
  return split([...items.keys()], splitBy);
}

function splitValue({ json }: Item, { path }: NamedField, { asText }: SplitRules): SplitValue {
  const value: JsonValue | undefined = readField(json, path);
  if (typeof value === 'object' && value !== null) return JSON.stringify(value);
  return asText ? String(value) : value;
}
