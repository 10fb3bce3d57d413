import { customDataProblem, isJsonObject, type JsonObject, maxCustomEntries, userKeyed } from '@sluice/domain';

/**
 * The custom data set in a reply; `undefined` if none was set. The guest rejects data beyond the
 * limits, so any such data here was forged and is dropped. `existing`: the execution's custom data
 * so far.
 */
export function customDataOf(
  { customData }: JsonObject,
  existing: Readonly<Record<string, string>> = {},
): Record<string, string> | undefined {
  if (!isJsonObject(customData)) return undefined;
  const accepted = userKeyed<string>();
  for (const [key, value] of Object.entries(customData).slice(0, maxCustomEntries)) {
    const isGood = typeof value === 'string' && customDataProblem({ ...existing, ...accepted }, key, value) === undefined;
    if (isGood) accepted[key] = value;
  }
  return Object.keys(accepted).length > 0 ? accepted : undefined;
}
