import { assertUrlLength, encodeQuery, type JsonObject, type JsonValue } from '@sluice/node-sdk';

/** A value as text for a URL, form, or header. */
export function plainText(value: JsonValue): string {
  if (value === null) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** Format of lists in query parameters: `a[]=1`, `a=1`, `a[0]=1`. */
export type ArrayFormat = 'brackets' | 'repeat' | 'indices';

/**
 * A URL with query parameters added to its own. Spaces become `%20`, because some services read `+`
 * as a plus sign. Throws `HTTP_INVALID_URL` if it is too long.
 */
export function withQuery(url: string, pairs: readonly (readonly [string, JsonValue])[], format: ArrayFormat): string {
  assertUrlLength([url]);
  const query = encodeQuery(spread(pairs, format)).replaceAll('+', '%20');
  if (query === '') return url;
  const [address = '', ...fragment] = url.split('#');
  const joint = !address.includes('?') ? '?' : /[?&]$/.test(address) ? '' : '&';
  return [`${address}${joint}${query}`, ...fragment].join('#');
}

/** Maximum levels of lists and objects; deeper values are sent as JSON. */
const maxDepth = 20;

/**
 * The parameters for values: list elements are named by `format`, object members `name[key]`.
 * Yields them one at a time, because each name repeats its parents' names.
 */
export function* spread(
  pairs: Iterable<readonly [string, JsonValue]>,
  format: ArrayFormat,
  depth = 1,
): Generator<[string, string]> {
  for (const [name, value] of pairs) {
    if (typeof value !== 'object' || value === null || depth > maxDepth) yield [name, plainText(value)];
    else yield* spread(Array.isArray(value) ? elements(name, value, format) : members(name, value), format, depth + 1);
  }
}

function* elements(name: string, list: readonly JsonValue[], format: ArrayFormat): Generator<[string, JsonValue]> {
  for (const [index, element] of list.entries())
    yield [format === 'repeat' ? name : format === 'brackets' ? `${name}[]` : `${name}[${index}]`, element];
}

function* members(name: string, object: JsonObject): Generator<[string, JsonValue]> {
  for (const [key, value] of Object.entries(object)) yield [`${name}[${key}]`, value];
}
