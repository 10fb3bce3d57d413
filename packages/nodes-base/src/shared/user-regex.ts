import { errorMessage, NodeOperationError } from '@sluice/node-sdk';
import { RE2JS } from 're2js';

const maxPatternLength = 2_000;

/** Program steps times characters: about half a second of one core. */
const maxWork = 50_000_000;

const flagBits: ReadonlyMap<string, number> = new Map([
  ['i', RE2JS.CASE_INSENSITIVE],
  ['m', RE2JS.MULTILINE],
  ['s', RE2JS.DOTALL],
  ['g', 0],
  ['u', 0],
]);

/** A user's regular expression: whether it is found in a text. */
export type RegexTest = (text: string) => boolean;

/**
 * Compiles a user's pattern, `a+` or `/a+/i`, for RE2, whose time is linear in the text: in the host's backtracking engine a pattern
 * could stop the process. Look-around and back-references are errors, therefore. Throws `NodeOperationError`s that name `subject`; the
 * test does so too, for a text so long that pattern and text together are out of bounds.
 */
export function compileUserRegex(source: string, subject: string, ignoreCase: boolean): RegexTest {
  const { pattern, flags } = splitFlags(source);
  if (pattern.length > maxPatternLength) throw new NodeOperationError(`the regular expression of ${subject} is too long`);
  const regex = compile(pattern, flags | (ignoreCase ? RE2JS.CASE_INSENSITIVE : 0), subject);
  const maxText = maxWork / regex.programSize();
  return (text) => {
    if (text.length <= maxText) return regex.matcher(text).find();
    throw new NodeOperationError(`the text is too long for the regular expression of ${subject}`, {
      description: `With this expression a text may have ${Math.floor(maxText)} characters`,
    });
  };
}

const maxCached = 100;

/** Keeps what was compiled, for the length of a node run: patterns seldom differ between its items. */
export class RegexCache {
  readonly #compiled = new Map<string, RegexTest>();

  get(source: string, subject: string, ignoreCase: boolean): RegexTest {
    const key = `${ignoreCase} ${subject} ${source}`;
    const known = this.#compiled.get(key);
    if (known) return known;
    const compiled = compileUserRegex(source, subject, ignoreCase);
    if (this.#compiled.size < maxCached) this.#compiled.set(key, compiled);
    return compiled;
  }
}

function compile(pattern: string, flags: number, subject: string): RE2JS {
  try {
    return RE2JS.compile(RE2JS.translateRegExp(pattern), flags);
  } catch (cause) {
    throw new NodeOperationError(`the regular expression of ${subject} cannot be used: ${errorMessage(cause)}`, {
      description: 'The syntax is that of RE2: no look-ahead, look-behind or back-references, and repeats up to 1,000',
      cause,
    });
  }
}

function splitFlags(source: string): { pattern: string; flags: number } {
  const match = /^\/(.*)\/([gimsu]*)$/s.exec(source);
  if (!match) return { pattern: source, flags: 0 };
  const [, pattern = '', letters = ''] = match;
  return { pattern, flags: [...letters].reduce((bits, letter) => bits | (flagBits.get(letter) ?? 0), 0) };
}
