/** After one of these, or at the start, a slash opens a regular expression; after anything else it divides. */
const beforeRegex = new Set('(,=:[!&|?{};+-*%<>~^');
/** White space before a slash that is looked across. */
const maxGap = 100;

/**
 * The place of the `}}` that closes an expression whose source starts at `start`; -1 when there is none. Braces inside string,
 * template and regular expression literals do not count, nor those of object literals and function bodies. Source that cannot
 * be read so (an apostrophe out of place) ends at the first `}}`.
 */
export function closingBraces(text: string, start: number): number {
  const first = text.indexOf('}}', start);
  if (first < 0) return -1;
  const end = closingBrace(text, start);
  return end >= 0 && text[end + 1] === '}' ? end : first;
}

/** The place of the brace that closes the one before `start`; -1 when the source cannot be read that far. */
function closingBrace(text: string, start: number): number {
  let depth = 0;
  for (let at = start; at < text.length; at += 1) {
    const char = text[at];
    if (opensLiteral(text, at, start)) {
      at = endOfLiteral(text, at);
      if (at < 0) return -1;
    } else if (char === '{') depth += 1;
    else if (char === '}') {
      if (depth === 0) return at;
      depth -= 1;
    }
  }
  return -1;
}

function opensLiteral(text: string, at: number, start: number): boolean {
  const char = text[at];
  if (char !== '/') return char === '"' || char === "'" || char === '`';
  const before = text
    .slice(Math.max(start, at - maxGap), at)
    .trimEnd()
    .at(-1);
  return before === undefined || beforeRegex.has(before);
}

/** The place of the last character of the literal opened at `open`; -1 when it is not ended. */
function endOfLiteral(text: string, open: number): number {
  const char = text[open] as string;
  return char === '/' ? endOfRegex(text, open) : endOfQuoted(text, open, char);
}

/** The place of the quote that ends the string or template opened at `open`; -1 when it is not ended. */
function endOfQuoted(text: string, open: number, quote: string): number {
  for (let at = open + 1; at < text.length; at += 1) {
    const char = text[at];
    if (char === quote) return at;
    if (char === '\\') at += 1;
    else if (quote === '`') at = char === '$' && text[at + 1] === '{' ? skipSubstitution(text, at) : at;
    else if (char === '\n') return -1;
  }
  return -1;
}

/** The place of the brace that ends the `${` at `dollar`; behind the text when it is not ended. */
function skipSubstitution(text: string, dollar: number): number {
  const end = closingBrace(text, dollar + 2);
  return end < 0 ? text.length : end;
}

function endOfRegex(text: string, open: number): number {
  let inClass = false;
  for (let at = open + 1; at < text.length && text[at] !== '\n'; at += 1) {
    const char = text[at];
    if (char === '\\') at += 1;
    else if (char === '[') inClass = true;
    else if (char === ']') inClass = false;
    else if (char === '/' && !inClass) return at;
  }
  return -1;
}
