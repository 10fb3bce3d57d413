import { encodeForm, encodeQuery } from '@sluice/node-sdk';

/** How lists are written: `a[0]=1`, `a[]=1`, `a=1` for each element, or `a=1,2`. */
export type ArrayFormat = 'indices' | 'brackets' | 'repeat' | 'comma';

/** Encodes nested values for a URL. Throws `HTTP_INVALID_URL` if they are too long. */
export function queryString(values: object, format?: ArrayFormat): string {
  return encodeQuery(flatten(values, format)).replaceAll('+', '%20');
}

/**
 * Encodes nested values for a body, with lists by index. Rejects with `HTTP_INVALID_REQUEST` for
 * values that are too long.
 */
export function formText(values: object): Promise<string> {
  return encodeForm(flatten(values), '%20');
}

/** Names and texts: `{ a: { b: 1 } }` is `a[b]=1`. Omits undefined; null is empty text. */
function flatten(values: object, format: ArrayFormat = 'indices', prefix?: string): [string, string][] {
  return Object.entries(values).flatMap(([key, value]: [string, unknown]) =>
    pairsOf(prefix === undefined ? key : `${prefix}[${key}]`, value, format),
  );
}

function pairsOf(name: string, value: unknown, format: ArrayFormat): [string, string][] {
  if (value === undefined || typeof value === 'function') return [];
  if (value === null) return [[name, '']];
  if (Array.isArray(value)) return listPairs(name, value, format);
  if (isDate(value)) return [[name, value.toISOString()]];
  return typeof value === 'object' ? flatten(value, format, name) : [[name, String(value)]];
}

function listPairs(name: string, list: readonly unknown[], format: ArrayFormat): [string, string][] {
  switch (format) {
    case 'comma':
      return [[name, list.map(String).join(',')]];
    case 'repeat':
      return list.flatMap((value) => pairsOf(name, value, format));
    case 'brackets':
      return list.flatMap((value) => pairsOf(`${name}[]`, value, format));
    case 'indices':
      return list.flatMap((value, index) => pairsOf(`${name}[${index}]`, value, format));
  }
}

function isDate(value: unknown): value is Date {
  return Object.prototype.toString.call(value) === '[object Date]';
}
