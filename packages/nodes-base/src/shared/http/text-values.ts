import { assertUrlLength, encodeQuery, type JsonValue } from '@sluice/node-sdk';

/** A value as text for a URL, form, or header. */
export function plainText(value: JsonValue): string {
  if (value === null) return '';
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

/** Format of lists in query parameters: `a[]=1`, `a=1`, `a[0]=1`. */
export type ArrayFormat = 'brackets' | 'repeat' | 'indices';

/** A URL with query parameters added to its own. Throws `HTTP_INVALID_URL` if it is too long. */
export function withQuery(url: string, pairs: readonly (readonly [string, JsonValue])[], format: ArrayFormat): string {
  assertUrlLength([url]);
  const query = encodeQuery(pairs.flatMap(([name, value]) => spread(name, value, format)));
  if (query === '') return url;
  const [address = '', ...fragment] = url.split('#');
  const joint = !address.includes('?') ? '?' : /[?&]$/.test(address) ? '' : '&';
  return [`${address}${joint}${query}`, ...fragment].join('#');
}

function spread(name: string, value: JsonValue, format: ArrayFormat): [string, string][] {
  if (!Array.isArray(value)) return [[name, plainText(value)]];
  const key = (index: number) => (format === 'repeat' ? name : format === 'brackets' ? `${name}[]` : `${name}[${index}]`);
  return value.map((element, index) => [key(index), plainText(element)]);
}
