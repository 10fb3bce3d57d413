import { isJsonObject, type JsonObject, type JsonValue } from '@sluice/node-sdk';
import { setOwn } from '../../shared/field-path.ts';

/** How objects become one where their fields clash. */
export interface ClashRules {
  /** `suffix`: every field gets the number of its input. Otherwise one input's fields win over the others'. */
  resolve: 'suffix' | { preferInput: number } | 'last';
  /** Whether objects and lists within are merged too, rather than replaced. */
  deep: boolean;
  /** Whether an empty value (nothing, null or an empty text) of the winning input gives way. */
  overrideEmpty: boolean;
}

/** Later inputs win, to the bottom. */
export const defaultClashRules: ClashRules = { resolve: 'last', deep: true, overrideEmpty: false };

/** One object of what several inputs give, in the order of the inputs; 0-based numbers tell which is which. */
export function mergeJson(parts: readonly { input: number; json: JsonObject }[], rules: ClashRules): JsonObject {
  if (rules.resolve === 'suffix') return suffixed(parts);
  const ordered = rules.resolve === 'last' ? parts : preferredLast(parts, rules.resolve.preferInput);
  return ordered.reduce<JsonObject>((merged, { json }) => mergeObjects(merged, json, rules), {});
}

function suffixed(parts: readonly { input: number; json: JsonObject }[]): JsonObject {
  return Object.fromEntries(
    parts.flatMap(({ input, json }) => Object.entries(json).map(([key, value]) => [`${key}_${input + 1}`, value])),
  );
}

function preferredLast<T extends { input: number }>(parts: readonly T[], preferred: number): T[] {
  return [...parts.filter(({ input }) => input !== preferred), ...parts.filter(({ input }) => input === preferred)];
}

function mergeObjects(under: JsonObject, over: JsonObject, rules: ClashRules): JsonObject {
  const merged = { ...under };
  for (const [key, value] of Object.entries(over)) {
    setOwn(merged, key, Object.hasOwn(under, key) ? mergeValues(under[key] as JsonValue, value, rules) : value);
  }
  return merged;
}

function mergeValues(under: JsonValue, over: JsonValue, rules: ClashRules): JsonValue {
  if (rules.overrideEmpty && (over === null || over === '')) return under;
  if (!rules.deep) return over;
  if (isJsonObject(under) && isJsonObject(over)) return mergeObjects(under, over, rules);
  if (Array.isArray(under) && Array.isArray(over)) return mergeLists(under, over, rules);
  return over;
}

/** Lists merge place by place. */
function mergeLists(under: JsonValue[], over: JsonValue[], rules: ClashRules): JsonValue[] {
  const longer = under.length > over.length ? under : over;
  return longer.map((value, index) => {
    const [below, above] = [under[index], over[index]];
    return below === undefined || above === undefined ? value : mergeValues(below, above, rules);
  });
}
