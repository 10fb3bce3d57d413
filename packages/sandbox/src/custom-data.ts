import { customDataProblem, isJsonObject, type JsonObject, maxCustomEntries, userKeyed } from '@sluice/domain';

/**
 * The custom data set in a reply; `undefined` if none was set. The guest rejects data beyond the
 * limits, so any such data here was forged and is dropped. `known`: the execution's custom data so
 * far.
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
