/** The engine's JSON functions, captured before any user text runs. */
export const { parse, stringify } = JSON;

/** A deep copy of JSON data. */
export function copyOf<T>(value: T): T {
  return value === undefined ? value : parse(stringify(value));
}
