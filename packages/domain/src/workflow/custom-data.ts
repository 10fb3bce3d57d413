/**
 * Maximum number of entries in an execution's custom data, by which it can be found, and maximum
 * characters of a key and of a value.
 */
export const maxCustomEntries = 10;
export const maxCustomKeyLength = 50;
export const maxCustomValueLength = 255;

/** Why a string cannot be added to the custom data of an execution; `undefined` if it can. */
export function customDataProblem(existing: Readonly<Record<string, string>>, key: string, value: string): string | undefined {
  if (!/^\w+$/.test(key) || key.length > maxCustomKeyLength)
    return `a key of custom data has letters, digits and "_", at most ${maxCustomKeyLength}; not "${key.slice(0, 100)}"`;
  if (value.length > maxCustomValueLength) return `a value of custom data has at most ${maxCustomValueLength} characters`;
  const isFull = !Object.hasOwn(existing, key) && Object.keys(existing).length >= maxCustomEntries;
  return isFull ? `an execution has at most ${maxCustomEntries} entries of custom data` : undefined;
}
