import { assertUrlLength, encodeQuery, type JsonValue } from '@sluice/node-sdk';

/** A value as text for a URL, form, or header. */
export function plainText(value: JsonValue): string {
  if (value === null) return '';
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

/** Format of lists in query parameters: `a[]=1`, `a=1`, `a[0]=1`. */
export type ArrayFormat = 'brackets' | 'repeat' | 'indices';

/**
 * A URL with query parameters added to its own. Spaces become `%20`, because some services read `+` as a
 * plus sign. Throws `HTTP_INVALID_URL` if it is too long.
 */
export function withQuery(url: string, pairs: readonly (readonly [string, JsonValue])[], format: ArrayFormat): string {
  assertUrlLength([url]);
  const query = encodeQuery(pairs.flatMap(([name, value]) => spread(name, value, format))).replaceAll('+', '%20');
  if (query === '') return url;
  const [address = '', ...fragment] = url.split('#');
  const joint = !address.includes('?') ? '?' : /[?&]$/.test(address) ? '' : '&';
  return [`${address}${joint}${query}`, ...fragment].join('#');
}

/** Levels of lists and objects; deeper values are sent as JSON. */
const maxDepth = 20;

/** The parameters of one value: list elements are named by `format`, object members `name[key]`. */
export function spread(name: string, value: JsonValue, format: ArrayFormat, depth = 1): [string, string][] {
  if (typeof value !== 'object' || value === null || depth > maxDepth) return [[name, plainText(value)]];
  const listed = (index: string) => (format === 'repeat' ? name : format === 'brackets' ? `${name}[]` : `${name}[${index}]`);
  return Object.entries(value).flatMap(([key, inner]) =>
    spread(Array.isArray(value) ? listed(key) : `${name}[${key}]`, inner, format, depth + 1),
  );
}
