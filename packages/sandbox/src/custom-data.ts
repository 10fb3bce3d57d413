import { customDataProblem, isJsonObject, type JsonObject, maxCustomEntries, userKeyed } from '@sluice/domain';

/**
 * The custom data set in a reply; `undefined` if none. The guest rejects data beyond the limits; what
 * is beyond them here was forged and is dropped. `known`: the custom data of the execution so far.
 */
export function customDataOf(
  { customData }: JsonObject,
  known: Readonly<Record<string, string>> = {},
): Record<string, string> | undefined {
  if (!isJsonObject(customData)) return undefined;
  const kept = userKeyed<string>();
  for (const [key, value] of Object.entries(customData).slice(0, maxCustomEntries)) {
    const isGood = typeof value === 'string' && customDataProblem({ ...known, ...kept }, key, value) === undefined;
    if (isGood) kept[key] = value;
  }
  return Object.keys(kept).length > 0 ? kept : undefined;
}
