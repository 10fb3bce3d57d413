import { maxNesting, maxSourceLength } from './limits.ts';
import { TemplateError } from './template-error.ts';

/**
 * A slash after one of these, or at the start, opens a regular expression; after anything else it
 * divides.
 */
const beforeRegex = new Set('(,=:[!&|?{};+-*%<>~^');

/**
 * Words before a regular expression, unless they name a member. Any other word is an operand, which
 * a slash divides.
 */
const wordBeforeRegex = /(?:^|[^.\w$])(?:case|in|return|throw|typeof|void)$/;
const postfix = /(?:\+\+|--)$/;

/** Runs of characters without meaning to the scanner. */
const plainCode = /[^"'`/{}]*/y;
const plainTemplate = /[^\\`$]*/y;

const doubleQuoted = /"[^"\\\n]*(?:\\[\s\S][^"\\\n]*)*"/y;
const singleQuoted = /'[^'\\\n]*(?:\\[\s\S][^'\\\n]*)*'/y;
const comment = /\/\*[^*]*\*+(?:[^/*][^*]*\*+)*\//y;
/** Ends at the closing braces, too: `{{ $json.a // a note }}`. */
const lineComment = /\/\/(?:(?!\}\})[^\n])*/y;
const regex = /\/(?:[^\\/\n[]|\\.|\[(?:[^\]\\\n]|\\.)*\])+\//y;

/**
 * Index of the `}}` that closes the source at `start`; -1 if the source cannot be read or is too
 * long. Ignores braces inside string, template, and regular expression literals, comments, objects,
 * and function bodies. Reads each character once and keeps its own stack.
 */
export function endOfSource(text: string, start: number): number {
  const end = new SourceScan(text.slice(start, start + maxSourceLength + 2)).end();
  return end < 0 ? -1 : start + end;
}

class SourceScan {
  readonly #text: string;
  /** Open constructs, innermost last: a brace, a template literal, or a substitution within one. */
  readonly #open: ('{' | '`' | '$')[] = [];
  #at = 0;
  /** The last non-whitespace character of code. */
  #before = '';

  constructor(text: string) {
    this.#text = text;
  }

  end(): number {
    let end: number | undefined;
    while (end === undefined && this.#at < this.#text.length) {
      end = this.#open.at(-1) === '`' ? this.#templateText() : this.#code();
    }
    return end ?? -1;
  }

  /**
   * Reads one token. Returns the end of the source, -1 if the source has no end, or `undefined` to
   * continue.
   */
  #code(): number | undefined {
    const char = this.#text[this.#at] as string;
    if (char === '}') return this.#closeBrace();
    if (char === '"' || char === "'") {
      if (!this.#skipAll(char === '"' ? doubleQuoted : singleQuoted)) return -1;
    } else if (char === '{' || char === '`') this.#push(char);
    else if (char === '/') return this.#slash();
    else return this.#skipPlain();
    this.#before = char;
    this.#at += 1;
    return undefined;
  }

  #skipPlain(): undefined {
    const run = this.#skip(plainCode).trimEnd();
    if (run === '') return;
    if (wordBeforeRegex.test(run)) this.#before = '(';
    else this.#before = postfix.test(run) ? ')' : (run.at(-1) as string);
  }

  #closeBrace(): number | undefined {
    if (this.#open.pop() === undefined) return this.#text[this.#at + 1] === '}' ? this.#at : -1;
    this.#before = '}';
    this.#at += 1;
    return undefined;
  }

  #templateText(): undefined {
    const char = this.#text[this.#at];
    if (char === '\\') this.#at += 2;
    else if (char === '`') {
      this.#open.pop();
      this.#before = char;
      this.#at += 1;
    } else if (char === '$' && this.#text[this.#at + 1] === '{') {
      this.#push('$');
      this.#before = '{';
      this.#at += 2;
    } else this.#skip(plainTemplate);
  }

  /** Advances past the match of the pattern here, by at least one character. */
  #skip(pattern: RegExp): string {
    pattern.lastIndex = this.#at + 1;
    pattern.test(this.#text);
    const start = this.#at;
    this.#at = pattern.lastIndex;
    return this.#text.slice(start, this.#at);
  }

  #push(opened: '{' | '`' | '$'): void {
    this.#open.push(opened);
    if (this.#open.length > maxNesting) throw new TemplateError(`an expression is nested deeper than ${maxNesting} levels`);
  }

  /** Skips to the end of a literal or comment. Returns false if it is not closed. */
  #skipAll(pattern: RegExp): boolean {
    pattern.lastIndex = this.#at;
    if (!pattern.test(this.#text)) return false;
    this.#at = pattern.lastIndex - 1;
    return true;
  }

  /** Skips a comment, a regular expression, or a division sign. Returns -1 if not closed. */
  #slash(): -1 | undefined {
    const next = this.#text[this.#at + 1];
    const isComment = next === '*' || next === '/';
    const opensRegex = this.#before === '' || beforeRegex.has(this.#before);
    const literal = opensRegex ? regex : undefined;
    const pattern = isComment ? (next === '*' ? comment : lineComment) : literal;
    if (pattern && !this.#skipAll(pattern)) return -1;
    if (!isComment) this.#before = '/';
    this.#at += 1;
    return undefined;
  }
}
