import type { SqlDialect } from './sql-dialect.ts';

/**
 * A piece of SQL text: code that may contain placeholders, a whole string in single quotes, or text
 * to keep unchanged.
 */
export interface SqlPiece {
  kind: 'code' | 'string' | 'opaque' | 'semicolon';
  text: string;
}

/** `brackets`: names may be in `[]` and backticks, as in SQLite. */
type ScannedDialect = Pick<SqlDialect, 'dollarQuotes' | 'backslashes'> & { brackets?: boolean };

/**
 * Splits SQL text into pieces, so that text within strings, quoted names, and comments is not read
 * as a placeholder or a statement end. An unclosed piece extends to the end; the server reports it.
 */
export function scanSql(text: string, dialect: ScannedDialect): SqlPiece[] {
  const pieces: SqlPiece[] = [];
  let code = 0;
  let at = 0;
  const flush = (end: number) => {
    if (end > code) pieces.push({ kind: 'code', text: text.slice(code, end) });
  };
  while (at < text.length) {
    const end = endOfPiece(text, at, dialect);
    if (end === at) {
      at += 1;
      continue;
    }
    flush(at);
    const piece = text.slice(at, end);
    pieces.push({ kind: piece === ';' ? 'semicolon' : piece.startsWith("'") ? 'string' : 'opaque', text: piece });
    at = end;
    code = end;
  }
  flush(text.length);
  return pieces;
}

/** End of the piece that starts at `at`; `at` itself if only code starts there. */
function endOfPiece(text: string, at: number, dialect: ScannedDialect): number {
  const { dollarQuotes, backslashes } = dialect;
  const char = text[at];
  const next = text[at + 1];
  if (char === ';') return at + 1;
  if (char === "'") return endOfQuoted(text, at, backslashes || (dollarQuotes && isEscapeString(text, at)));
  if (char === '"') return endOfQuoted(text, at, backslashes);
  if (char === '`' || char === '[') return endOfQuotedName(text, at, dialect);
  if (char === '/' && next === '*') return endOfComment(text, at, dollarQuotes);
  if ((char === '-' && next === '-') || (char === '#' && backslashes)) return endOfLine(text, at);
  if (char === '$' && dollarQuotes) return endOfDollarQuoted(text, at);
  return at;
}

/** Whether a separate `E` precedes the quote. */
function isEscapeString(text: string, at: number): boolean {
  return /[eE]/.test(text[at - 1] ?? '') && !/[\w$]/.test(text[at - 2] ?? '');
}

/** A doubled quote ends one string and starts the next, which has the same effect. */
function endOfQuoted(text: string, at: number, escapes: boolean): number {
  const quote = text[at];
  for (let index = at + 1; index < text.length; index += 1) {
    if (escapes && text[index] === '\\') index += 1;
    else if (text[index] === quote) {
      if (text[index + 1] !== quote) return index + 1;
      index += 1;
    }
  }
  return text.length;
}

/** A name in backticks or brackets; `at` itself if the dialect supports neither. */
function endOfQuotedName(text: string, at: number, { backslashes, brackets = false }: ScannedDialect): number {
  if (text[at] === '`') return backslashes || brackets ? endOfQuoted(text, at, false) : at;
  if (!brackets) return at;
  const end = text.indexOf(']', at);
  return end === -1 ? text.length : end + 1;
}

function endOfComment(text: string, at: number, nests: boolean): number {
  let depth = 0;
  for (let index = at; index < text.length; index += 1) {
    const pair = text.slice(index, index + 2);
    if (pair === '/*' && (nests || depth === 0)) depth += 1;
    else if (pair === '*/') depth -= 1;
    else continue;
    index += 1;
    if (depth === 0) return index + 1;
  }
  return text.length;
}

function endOfLine(text: string, at: number): number {
  const end = text.indexOf('\n', at);
  return end === -1 ? text.length : end;
}

const dollarTag = /\$(?:[A-Za-z_\u0080-\uffff][\w\u0080-\uffff]*)?\$/y;

function endOfDollarQuoted(text: string, at: number): number {
  if (/[\w$]/.test(text[at - 1] ?? '')) return at;
  dollarTag.lastIndex = at;
  const tag = dollarTag.exec(text)?.[0];
  if (tag === undefined) return at;
  const end = text.indexOf(tag, at + tag.length);
  return end === -1 ? text.length : end + tag.length;
}
