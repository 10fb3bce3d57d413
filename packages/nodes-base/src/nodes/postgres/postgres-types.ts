import type { types } from 'pg';

type ParserOf = typeof types.getTypeParser;
type Parser = (text: string) => unknown;

const oid = { int8: 20, json: 114, date: 1082, timestamp: 1114, timestamptz: 1184, numeric: 1700, jsonb: 3802, bytea: 17 };

/** Length in characters from which JSON is parsed in time slices. */
const longJson = 64 * 1024;

/** Characters of the longest date or time. The library takes quadratic time for longer texts, which therefore stay text. */
const longestInstant = 64;
const hasLongElement = new RegExp(`[^,{}]{${longestInstant + 1}}`);

/** Arrays of `timestamp`, `date`, and `timestamptz`. */
const instantArrays = [1115, 1182, 1185];

/** JSON of a column that is not parsed yet. */
export class LongJson {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

const readJson: Parser = (text) => (text.length > longJson ? new LongJson(text) : JSON.parse(text));

/**
 * Parsers for values on the wire. Times become ISO 8601 in UTC; a date or time without a zone is
 * read as UTC. Values outside the calendar (`infinity`, years BC) stay text. Large numbers
 * (`bigint`, `numeric`) are text unless numbers are requested. Long JSON is left to the caller
 * (`LongJson`).
 */
export function postgresTypes(parserOf: ParserOf, largeNumbers: 'text' | 'numbers'): { getTypeParser: ParserOf } {
  const parseInstant = parserOf(oid.timestamptz) as Parser;
  const instant = (text: string, completed = text): string => {
    if (text.length > longestInstant) return text;
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
    parsers.set(type, (text) => (hasLongElement.test(text) ? text : parse(text)));
  }
  if (largeNumbers === 'numbers') for (const type of [oid.int8, oid.numeric]) parsers.set(type, (text) => Number(text));
  return { getTypeParser: ((type: number, format?: 'text') => parsers.get(type) ?? parserOf(type, format)) as ParserOf };
}
