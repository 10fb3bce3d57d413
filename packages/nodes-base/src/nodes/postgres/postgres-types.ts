import type { types } from 'pg';

type ParserOf = typeof types.getTypeParser;
type Parser = (text: string) => unknown;

const oid = { int8: 20, date: 1082, timestamp: 1114, timestamptz: 1184, numeric: 1700, bytea: 17 };

/**
 * Parsers for values on the wire. Times become ISO 8601 in UTC; a date or time without a zone is
 * read as UTC. Values outside the calendar (`infinity`, years BC) stay text. Large numbers
 * (`bigint`, `numeric`) are text unless numbers are requested.
 */
export function postgresTypes(parserOf: ParserOf, largeNumbers: 'text' | 'numbers'): { getTypeParser: ParserOf } {
  const parseInstant = parserOf(oid.timestamptz) as Parser;
  const instant = (text: string, completed = text): string => {
    const date = parseInstant(completed);
    return date instanceof Date && !Number.isNaN(date.getTime()) && !text.endsWith('BC') ? date.toISOString() : text;
  };
  const own = new Map<number, Parser>([
    [oid.timestamptz, (text) => instant(text)],
    [oid.timestamp, (text) => instant(text, `${text}+00`)],
    [oid.date, (text) => instant(text, `${text} 00:00:00+00`)],
    [oid.bytea, (text) => Buffer.from(text.slice(2), 'hex').toString('base64')],
  ]);
  if (largeNumbers === 'numbers') for (const type of [oid.int8, oid.numeric]) own.set(type, (text) => Number(text));
  return { getTypeParser: ((type: number, format?: 'text') => own.get(type) ?? parserOf(type, format)) as ParserOf };
}
