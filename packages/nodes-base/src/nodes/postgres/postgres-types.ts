import { parseJson } from '@sluice/node-sdk';
import type { types } from 'pg';
import { DeferredValue } from '../../shared/sql/deferred-value.ts';
import { toJson } from '../../shared/to-json.ts';

type ParserOf = typeof types.getTypeParser;
type Parser = (text: string) => unknown;

const oid = {
  int8: 20,
  text: 25,
  json: 114,
  date: 1082,
  timestamp: 1114,
  timestamptz: 1184,
  numeric: 1700,
  jsonb: 3802,
  bytea: 17,
};

/**
 * Maximum length of a date or time, in characters. The library takes quadratic time for longer
 * strings, which therefore remain text.
 */
const maxInstantLength = 64;
const hasLongElement = new RegExp(`[^,{}]{${maxInstantLength + 1}}`);

/** Arrays of `timestamp`, `date`, and `timestamptz`. */
const instantArrays = [1115, 1182, 1185];

/**
 * Maximum length of a value that is parsed with its row, in characters. A row may have 65,535 such
 * values.
 */
const maxInlineLength = 64;

/** Leaves longer values to the caller. */
function deferring(parse: Parser, isDivisible: boolean): Parser {
  return (text) =>
    text.length > maxInlineLength ? new DeferredValue(text.length, () => parse(text), isDivisible) : parse(text);
}

const readJson = deferring(parseJson, true);

/**
 * Parsers for values on the wire. Times become ISO 8601 in UTC; a date or time without a zone is
 * read as UTC. Values outside the calendar (`infinity`, years BC) remain text. Large numbers
 * (`bigint`, `numeric`) are text unless numbers are requested. Longer JSON, and longer values of
 * types that the library parses, such as arrays, are `DeferredValue`.
 */
export function postgresTypes(parserOf: ParserOf, largeNumbers: 'text' | 'numbers'): { getTypeParser: ParserOf } {
  const parseInstant = parserOf(oid.timestamptz) as Parser;
  const instant = (text: string, completed = text): string => {
    if (text.length > maxInstantLength) return text;
    const date = parseInstant(completed);
    return date instanceof Date && !Number.isNaN(date.getTime()) && !text.endsWith('BC') ? date.toISOString() : text;
  };
  const parsers = new Map<number, Parser>([
    [oid.timestamptz, (text) => instant(text)],
    [oid.timestamp, (text) => instant(text, `${text}+00`)],
    [oid.date, (text) => instant(text, `${text} 00:00:00+00`)],
    [oid.json, readJson],
    [oid.jsonb, readJson],
    [oid.bytea, (text) => Buffer.from(text.slice(2), 'hex').toString('base64')],
  ]);
  for (const type of instantArrays) {
    const parse = parserOf(type) as Parser;
    parsers.set(
      type,
      deferring((text) => (hasLongElement.test(text) ? text : toJson(parse(text))), false),
    );
  }
  if (largeNumbers === 'numbers') for (const type of [oid.int8, oid.numeric]) parsers.set(type, (text) => Number(text));
  const textParser = parserOf(oid.text) as Parser;
  const libraryParser = (type: number, format?: 'text'): Parser => {
    const parse = parserOf(type, format) as Parser;
    return parse === textParser ? parse : deferring((text) => toJson(parse(text)), false);
  };
  return { getTypeParser: ((type: number, format?: 'text') => parsers.get(type) ?? libraryParser(type, format)) as ParserOf };
}
