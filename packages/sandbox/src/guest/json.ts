/** The engine's JSON functions, taken before any user text ran. */
export const { parse, stringify } = JSON;

/** A deep copy of JSON data. */
export function copyOf<T>(value: T): T {
  return value === undefined ? value : parse(stringify(value));
}
