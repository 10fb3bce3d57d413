import { isJsonObject, type JsonObject, type JsonValue } from '@sluice/node-sdk';
import { setOwn } from '../../shared/field-path.ts';

/** How objects are merged where their fields clash. */
export interface ClashRules {
  /**
   * `suffix`: every field name gets the number of its input. Otherwise one input's fields win over
   * the others'.
   */
  resolve: 'suffix' | { preferInput: number } | 'last';
  /** Whether nested objects and lists are merged too, rather than replaced. */
  deep: boolean;
  /** Whether an empty value (null or an empty text) of the winning input is overridden. */
  overrideEmpty: boolean;
}

/** Later inputs win at every level. */
export const defaultClashRules: ClashRules = { resolve: 'last', deep: true, overrideEmpty: false };

interface JsonPart {
  /** 0-based. */
  input: number;
  json: JsonObject;
}

/** Merges the objects of several inputs, in the order of the inputs. */
export function mergeJson(parts: readonly JsonPart[], rules: ClashRules): JsonObject {
  if (rules.resolve === 'suffix') return suffixed(parts);
  return inOrder(parts, rules).reduce<JsonObject>((merged, { json }) => mergeObjects(merged, json, rules), {});
}

/**
 * Like `mergeJson` for inputs numbered up to `last`, but merges the preferred input once more at
 * the end.
 */
export function mergeJsonTwice(parts: readonly JsonPart[], rules: ClashRules, last: number): JsonObject {
  const preferred = typeof rules.resolve === 'object' ? rules.resolve.preferInput : last;
  const again = parts.find(({ input }) => input === preferred)?.json ?? {};
  if (rules.resolve === 'suffix') return { ...suffixed(parts), ...again };
  const once = mergeJson(parts, { ...rules, resolve: 'last' });
  return mergeObjects(once, again, rules);
}

function suffixed(parts: readonly JsonPart[]): JsonObject {
  return Object.fromEntries(
    parts.flatMap(({ input, json }) => Object.entries(json).map(([key, value]) => [`${key}_${input + 1}`, value])),
  );
}

/** Parts in merging order: the winning input comes last. */
export function inOrder<T extends { input: number }>(parts: readonly T[], { resolve }: ClashRules): readonly T[] {
  if (typeof resolve !== 'object') return parts;
  const preferred = resolve.preferInput;
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

/** Lists merge by position. */
function mergeLists(under: JsonValue[], over: JsonValue[], rules: ClashRules): JsonValue[] {
  const longer = under.length > over.length ? under : over;
  return longer.map((value, index) => {
    const [below, above] = [under[index], over[index]];
    return below === undefined || above === undefined ? value : mergeValues(below, above, rules);
  });
}
