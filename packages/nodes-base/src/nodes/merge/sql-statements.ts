import { type JsonValue, NodeOperationError } from '@sluice/node-sdk';
import { stringOf } from '../../shared/coerced-text.ts';
import { type SqlPiece, scanSql } from '../../shared/sql/sql-scanner.ts';
import type { SqlPlan } from './merge-plan.ts';

/** A statement whose values are bound, never written into its text. */
export interface BoundStatement {
  /** Placeholders are `?1`, `?2`, …. */
  text: string;
  values: readonly JsonValue[];
}

const dialect = { dollarQuotes: false, backslashes: false, brackets: true };

/**
 * Represents an expression's value until the text has been scanned. Author text cannot contain it.
 */
const markerOf = (index: number) => `\uffff${index}\uffff`;
const marker = /\uffff(\d+)\uffff/g;
/** An expression in the place of an SQL name, or within a name. */
const nameMarker = /(\b(from|join|into|update|table|as|by)\s+|[\w.])\uffff\d+\uffff|\uffff\d+\uffff[\w.]/i;
const placeholder = /\?(\d+)?|\uffff(\d+)\uffff/g;

/**
 * The statements of a query. An expression in its text becomes a bound value; an expression within
 * quotes makes the whole quoted text a value. So item text never becomes SQL.
 */
export function statementsOf({ parts, values }: SqlPlan): BoundStatement[] {
  if (parts.some((part, index) => index % 2 === 0 && stringOf(part).includes('\uffff'))) {
    throw new NodeOperationError('the query contains the character U+FFFF', { description: 'Remove it' });
  }
  const embedded = parts.filter((_, index) => index % 2 === 1);
  const text = parts.map((part, index) => (index % 2 === 0 ? part : markerOf((index - 1) / 2))).join('');
  const next = positionalValues(values);
  return splitStatements(scanSql(text, dialect)).map((pieces) => bind(pieces, embedded, next));
}

/** The pieces of each statement; comments become blanks. */
function splitStatements(pieces: readonly SqlPiece[]): SqlPiece[][] {
  const statements: SqlPiece[][] = [[]];
  for (const piece of pieces) {
    if (piece.kind === 'semicolon') statements.push([]);
    else if (!isComment(piece)) statements.at(-1)?.push(piece);
    else statements.at(-1)?.push({ kind: 'opaque', text: ' ' });
  }
  return statements.filter((statement) => statement.some(({ text }) => text.trim() !== ''));
}

const isComment = ({ kind, text }: SqlPiece) => kind === 'opaque' && /^(--|\/\*)/.test(text);

type NextValue = (position: string | undefined) => JsonValue;

function bind(pieces: readonly SqlPiece[], embedded: readonly JsonValue[], next: NextValue): BoundStatement {
  const values: JsonValue[] = [];
  const add = (value: JsonValue) => `?${values.push(value)}`;
  const written = pieces.map(({ kind, text }) => {
    if (kind === 'code') {
      if (nameMarker.test(text)) throw notAName();
      return text.replace(placeholder, (_, position?: string, index?: string) =>
        add(index === undefined ? next(position) : asNumber(embedded[Number(index)] ?? null)),
      );
    }
    return text.includes('\uffff') ? add(quotedText(text, embedded)) : text;
  });
  return { text: written.join('').trim(), values };
}

/**
 * The content of a quoted string, with expressions filled in. Like SQLite, it treats an unknown
 * name in double quotes as a string.
 */
function quotedText(text: string, embedded: readonly JsonValue[]): string {
  const quote = text.charAt(0);
  if (quote === '`' || quote === '[') {
    throw notAName();
  }
  const content = text.slice(1, text.endsWith(quote) ? -1 : undefined).replaceAll(quote + quote, quote);
  return content.replace(marker, (_, index: string) => written(embedded[Number(index)] ?? null));
}

export function notAName(): NodeOperationError {
  return new NodeOperationError(
    'an expression within the query is a value: it cannot give the name of a column or table, or a part of the SQL',
    {
      itemIndex: 0,
      description: 'Write the name into the query, or write the whole query as a single expression',
    },
  );
}

const written = (value: JsonValue) => (typeof value === 'string' ? value : JSON.stringify(value));

/** Reads the values of `queryParameters`, in order for `?` and by number for `?1`. */
function positionalValues(values: readonly JsonValue[]): NextValue {
  let used = 0;
  return (position) => {
    const index = position === undefined ? used++ : Number(position) - 1;
    const value = values[index];
    if (value !== undefined) return asNumber(value);
    throw new NodeOperationError(`the query has a placeholder ${index + 1}, but only ${values.length} query parameters`, {
      description: 'Use one query parameter for each question mark, separated by commas',
    });
  };
}

/**
 * Text in a number's usual form becomes a number, as if it were written in the query. String
 * columns still compare it as text.
 */
function asNumber(value: JsonValue): JsonValue {
  return typeof value === 'string' && stringOf(Number(value)) === value && Number.isFinite(Number(value))
    ? Number(value)
    : value;
}
