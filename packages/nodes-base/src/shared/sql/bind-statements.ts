import { type JsonValue, NodeOperationError } from '@sluice/node-sdk';
import { unsupported } from '../parameters.ts';
import type { SqlDialect, SqlStatement } from './sql-dialect.ts';
import { type SqlPiece, scanSql } from './sql-scanner.ts';

export interface BindOptions {
  dialect: SqlDialect;
  itemIndex: number;
  /**
   * Whether `'$1'` is an ordinary string; otherwise the quotes around a lone placeholder are
   * removed.
   */
  quotedAsText: boolean;
}

/**
 * `$1` with an optional modifier for its value, such as `$1:name`. A cast (`$1::int`) is not a
 * modifier.
 */
const placeholder = /\$([1-9]\d{0,4})(?::(name|alias|csv|list|json|value|raw)\b)?/g;
const lonePlaceholder = /^'(\$[1-9]\d{0,4})'$/;

/**
 * Splits a query into statements and binds its values, which are never written into the text. `$1`
 * is a value, `$1:csv` the values of a list, `$1:json` a value as JSON, `$1:name` a quoted table or
 * column name. Without values, the text is one statement, unchanged.
 */
export function bindStatements(text: string, values: readonly JsonValue[], options: BindOptions): SqlStatement[] {
  if (values.length === 0) return [{ text, values: [] }];
  return statementsOf(scanSql(text, options.dialect)).map((pieces) => bindPieces(pieces, values, options));
}

/** Highest placeholder position; 0 if there are no placeholders. */
export function placeholderCount(text: string, dialect: SqlDialect): number {
  const codes = scanSql(text, dialect).filter(({ kind, text: piece }) => kind === 'code' || lonePlaceholder.test(piece));
  const positions = codes.flatMap(({ text: code }) => [...code.matchAll(placeholder)].map(([, position]) => Number(position)));
  return positions.reduce((highest, position) => Math.max(highest, position), 0);
}

/** Splits by statement: a database binds values for only one statement at a time. */
function statementsOf(pieces: readonly SqlPiece[]): SqlPiece[][] {
  const statements: SqlPiece[][] = [[]];
  for (const piece of pieces) {
    if (piece.kind === 'semicolon') statements.push([]);
    else statements.at(-1)?.push(piece);
  }
  const isEmpty = ({ kind, text }: SqlPiece) => text.trim() === '' || (kind === 'opaque' && /^(--|#|\/\*)/.test(text));
  return statements.filter((statement) => !statement.every(isEmpty));
}

function bindPieces(pieces: readonly SqlPiece[], values: readonly JsonValue[], options: BindOptions): SqlStatement {
  const bound: JsonValue[] = [];
  const bind = (value: JsonValue) => options.dialect.placeholder(bound.push(value));
  const written = pieces.map(({ kind, text }) => {
    const lone = kind === 'string' && !options.quotedAsText ? lonePlaceholder.exec(text)?.[1] : undefined;
    if (kind !== 'code' && lone === undefined) return text;
    return (lone ?? text).replace(placeholder, (_, position: string, way: string | undefined) =>
      write(valueAt(values, Number(position), options.itemIndex), way, { ...options, bind }),
    );
  });
  return { text: written.join('').trim(), values: bound };
}

function valueAt(values: readonly JsonValue[], position: number, itemIndex: number): JsonValue {
  const value = values[position - 1];
  if (value !== undefined) return value;
  throw new NodeOperationError(`the query has a $${position}, but there are only ${values.length} query parameters`, {
    itemIndex,
    description: 'Query parameters are values separated by commas, or an expression that yields a list',
  });
}

function write(
  value: JsonValue,
  way: string | undefined,
  { dialect, itemIndex, bind }: BindOptions & { bind(value: JsonValue): string },
): string {
  switch (way) {
    case undefined:
      return bind(value);
    case 'name':
    case 'alias':
      return [value]
        .flat()
        .map((name) => dialect.quoteName(nameOf(name, itemIndex)))
        .join(', ');
    case 'csv':
    case 'list':
      return listOf(value).map(bind).join(', ');
    case 'json':
      return bind(JSON.stringify(value));
    default:
      throw unsupported(
        `A placeholder with ":${way}"`,
        'Write the text into the query itself, or bind a value with $1',
        itemIndex,
      );
  }
}

function nameOf(value: JsonValue, itemIndex: number): string {
  if (typeof value === 'string' && value !== '') return value;
  throw new NodeOperationError('a placeholder with ":name" needs a non-empty text', {
    itemIndex,
    description: 'Use the name of a column or table',
  });
}

/** Null for an empty list: `IN ()` is not valid SQL, and nothing equals null. */
function listOf(value: JsonValue): JsonValue[] {
  const list = [value].flat();
  return list.length > 0 ? list : [null];
}
