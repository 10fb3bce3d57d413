import { toDateTime } from './date-conversion.ts';
import { ExpressionFailure, messageOf } from './failures.ts';
import { askHost } from './host.ts';
import { parse, stringify } from './json.ts';
import type { MethodTable } from './method-table.ts';
import { replaceSpecialChars, toSentenceCase, toSnakeCase, toTitleCase } from './text-cases.ts';
import { encodeText } from './text-encoding.ts';
import {
  extractDomain,
  extractEmail,
  extractUrl,
  extractUrlPath,
  isDomain,
  isEmail,
  isUrl,
  removeMarkdown,
  removeTags,
} from './text-extraction.ts';

export const stringMethods: MethodTable<string> = {
  base64Decode: (text) => encodeText(text, 'base64', 'utf8'),
  base64Encode: (text) => encodeText(text, 'utf8', 'base64'),
  extractDomain,
  extractEmail,
  extractUrl,
  extractUrlPath,
  hash,
  isDomain,
  isEmail,
  isEmpty: (text) => text.length === 0,
  isNotEmpty: (text) => text.length > 0,
  isNumeric: (text) => text !== '' && !/\s/.test(text) && !Number.isNaN(Number(text)),
  isUrl,
  parseJson,
  quote: (text, mark = '"') => mark + text.replaceAll(mark, `\\${mark}`) + mark,
  removeMarkdown,
  removeTags,
  replaceSpecialChars,
  toBoolean: (text) => !['', '0', 'false', 'no'].includes(text.toLowerCase()),
  toDate,
  toDateTime,
  toDecimalNumber: toFloat,
  toFloat,
  toInt,
  toJsonString: (text) => stringify(text),
  toNumber,
  toSentenceCase,
  toSnakeCase,
  toTitleCase,
  toWholeNumber: toInt,
  urlDecode: (text, allChars = false) => (allChars ? decodeURI(text) : decodeURIComponent(text)),
  urlEncode: (text, allChars = false) => (allChars ? encodeURI(text) : encodeURIComponent(text)),
};

/** Hexadecimal. `base64` is not a hash, but is accepted here. */
function hash(text: string, algorithm = 'md5'): string {
  const name = String(algorithm).toLowerCase();
  const data = encodeText(text, 'utf8', 'base64');
  if (name === 'base64') return data;
  const digest = askHost<string>({ hash: { algorithm: name === 'sha3' ? 'sha3-512' : name, data } });
  if (digest === null)
    throw new ExpressionFailure(`hash() does not support the algorithm "${algorithm}", or the text is too long`);
  return encodeText(digest, 'base64', 'hex');
}

/** A day, month, or year is its start in UTC, as for JavaScript's own `Date`. */
function toDate(text: string): Date {
  const day = /^\s*(\d{4})(-\d{2})?(-\d{2})?\s*$/.exec(text);
  return toDateTime(day ? `${day[1]}${day[2] ?? '-01'}${day[3] ?? '-01'}T00:00:00Z` : text).toJSDate();
}

function parseJson(text: string): unknown {
  try {
    return parse(text);
  } catch (error) {
    throw new ExpressionFailure(`parseJson() takes JSON: ${messageOf(error)}`);
  }
}

/**
 * Reads the whole text, because a part of `1,234` would be a wrong number. Empty text is 0, as in
 * JavaScript.
 */
function toNumber(text: string): number {
  return validNumber(Number(text), text, 'toNumber');
}

/** Reads the number at the start of the text. */
function toInt(text: string, radix?: number): number {
  return validNumber(Number.parseInt(text, radix), text, 'toInt');
}

/** Same as `toInt`. */
function toFloat(text: string): number {
  return validNumber(Number.parseFloat(text), text, 'toFloat');
}

function validNumber(number: number, text: string, method: string): number {
  if (Number.isNaN(number)) throw new ExpressionFailure(`${method}() cannot convert "${text.substring(0, 100)}" to a number`);
  return number;
}
