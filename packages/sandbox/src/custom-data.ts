import { isJsonObject, type JsonObject, maxCustomEntries, maxCustomKeyLength, maxCustomValueLength } from '@sluice/domain';

/**
 * The custom data set in a reply; `undefined` if none. Invalid data is dropped here, because the
 * guest already rejects data beyond the limits.
 */
export function customDataOf({ customData }: JsonObject): Record<string, string> | undefined {
  if (!isJsonObject(customData)) return undefined;
  const entries = Object.entries(customData).filter((entry): entry is [string, string] => isWithinBounds(entry));
  return entries.length > 0 ? Object.fromEntries(entries.slice(0, maxCustomEntries)) : undefined;
}

function isWithinBounds([key, value]: [string, unknown]): boolean {
  return (
    /^\w+$/.test(key) && key.length <= maxCustomKeyLength && typeof value === 'string' && value.length <= maxCustomValueLength
  );
}
