import { scanSql } from '../../shared/sql/sql-scanner.ts';

/** A statement that returns the row IDs of the tables in `inputs` after its own columns. */
interface TracedStatement {
  text: string;
  inputs: readonly number[];
}

/** A result row combines several rows of a table. */
const combining =
  /\b(?:distinct|group\s+by|having|union|intersect|except|over|with|values|(?:count|sum|total|avg|min|max|group_concat|string_agg|median|json_group_\w+)\s*\()/i;
const tableReference =
  /(?:^from|\bjoin|,)\s+input(\d{1,3})\b(?:\s+(?:as\s+)?(?!(?:left|right|inner|outer|cross|full|natural|join|on|using|where|order|limit)\b)([a-z_]\w*))?/gi;

/**
 * The statement with its tables' row IDs added, for pairing rows with items. `undefined` if a
 * result row may combine several rows, or if the statement contains no recognizable table
 * reference.
 */
export function tracedStatement(text: string): TracedStatement | undefined {
  const pieces = scanSql(text, { dollarQuotes: false, backslashes: false, brackets: true });
  const code = pieces.map((piece) => (piece.kind === 'code' ? piece.text : 'x'.repeat(piece.text.length))).join('');
  if (combining.test(code) || !/^select\b/i.test(code)) return undefined;
  const outer = withoutNested(code);
  const from = /\bfrom\b/i.exec(outer)?.index;
  if (from === undefined) return undefined;
  const end = /\b(?:where|order\s+by|limit)\b/i.exec(outer.slice(from))?.index;
  const tables = [...outer.slice(from, end === undefined ? undefined : from + end).matchAll(tableReference)];
  if (tables.length === 0) return undefined;
  const ids = tables.map(([, input, alias]) => `${alias ?? `input${input}`}._rowid_`);
  return {
    text: `${text.slice(0, from)}, ${ids.join(', ')} ${text.slice(from)}`,
    inputs: tables.map(([, input]) => Number(input) - 1),
  };
}

/** The text with everything in parentheses blanked, its length unchanged. */
function withoutNested(code: string): string {
  let depth = 0;
  return Array.from({ length: code.length }, (_, index) => {
    const character = code.charAt(index);
    if (character === ')') depth--;
    const replacement = depth === 0 ? character : ' ';
    if (character === '(') depth++;
    return replacement;
  }).join('');
}
