import { encodeForm, encodeQuery } from '@sluice/node-sdk';

export type ArrayFormat = 'indices' | 'brackets' | 'repeat' | 'comma';

/**
 * Flattens names and values: `a[b]=1`, lists as in `format`. Undefined values are omitted; null
 * becomes empty text.
 */
function flattened(values: object, format: ArrayFormat = 'indices', prefix?: string): [string, string][] {
  return Object.entries(values).flatMap(([key, value]: [string, unknown]) =>
    pairsOf(prefix === undefined ? key : `${prefix}[${key}]`, value, format),
  );
}

/** Throws `HTTP_INVALID_URL` for values that are too long for a URL. */
export function queryString(values: object, format?: ArrayFormat): string {
  return encodeQuery(flattened(values, format)).replaceAll('+', '%20');
}

/** The same for a body. Throws `HTTP_INVALID_REQUEST` for values that are too long. */
export function formText(values: object): Promise<string> {
  return encodeForm(flattened(values), '%20');
}

function pairsOf(name: string, value: unknown, format: ArrayFormat): [string, string][] {
  if (value === undefined || typeof value === 'function') return [];
  if (value === null) return [[name, '']];
  if (Array.isArray(value)) return listPairs(name, value, format);
  if (isDate(value)) return [[name, value.toISOString()]];
  return typeof value === 'object' ? flattened(value, format, name) : [[name, String(value)]];
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
