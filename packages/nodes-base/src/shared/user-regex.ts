import { errorMessage, NodeOperationError } from '@sluice/node-sdk';
import { RE2JS } from 're2js';

const maxPatternLength = 2_000;

/** Maximum product of program steps and characters: about half a second on one core. */
const maxWork = 50_000_000;

/** Maximum length of a string after its replacements, in characters. */
const maxReplaced = 64 * 1024 * 1024;

const flagBits: ReadonlyMap<string, number> = new Map([
  ['i', RE2JS.CASE_INSENSITIVE],
  ['m', RE2JS.MULTILINE],
  ['s', RE2JS.DOTALL],
  ['g', 0],
  ['u', 0],
]);

/** Whether a user's regular expression matches a string. */
export type RegexTest = (text: string) => boolean;

/** Replaces the matches of a user's regular expression in a string. */
export type RegexReplacer = (text: string) => string;

/**
 * Compiles a user's pattern, `a+` or `/a+/i`, for RE2, which takes linear time in the text: in the
 * host's backtracking engine, a pattern could block the process. RE2 has no look-around or
 * back-references. Throws `NodeOperationError`s that contain `subject`; so does the test if pattern
 * and text together are too long.
 */
export function compileUserRegex(source: string, subject: string, ignoreCase: boolean): RegexTest {
  const { regex, checkLength } = compileBounded(source, subject, ignoreCase);
  return (text) => {
    checkLength(text);
    return regex.matcher(text).find();
  };
}

/**
 * Compiles a pattern that replaces all matches or only the first. `replacement` may contain `$1`,
 * `$<name>`, and `$&`. Throws as `compileUserRegex` does.
 */
export function compileUserReplacer(
  source: string,
  replacement: string,
  subject: string,
  ignoreCase: boolean,
  matches: 'all' | 'first' = 'all',
): RegexReplacer {
  const { regex, checkLength } = compileBounded(source, subject, ignoreCase);
  const parts = replacementParts(replacement, regex);
  return (text) => {
    checkLength(text);
    return replaceMatches(regex, text, parts, { matches, subject });
  };
}

/** Literal text, or a group by number or name. */
type ReplacementPart = { text: string } | { group: number | string };

/**
 * As in JavaScript: a reference to a missing group number is literal text; so are group names if
 * the pattern has no named groups.
 */
function replacementParts(replacement: string, regex: RE2JS): ReplacementPart[] {
  const count = regex.groupCount();
  const hasNames = Object.keys(regex.namedGroups()).length > 0;
  const parts: ReplacementPart[] = [];
  let end = 0;
  for (const match of replacement.matchAll(/\$(?:\$|&|(\d{1,2})|<([^>]*)>)/g)) {
    const [whole, digits, name] = match;
    const number = digits === undefined ? undefined : groupNumber(digits, count);
    if ((digits !== undefined && !number) || (name !== undefined && !hasNames)) continue;
    parts.push({ text: replacement.slice(end, match.index) });
    parts.push(whole === '$$' ? { text: '$' } : { group: name ?? number?.group ?? 0 });
    end = match.index + (number ? 1 + number.length : whole.length);
  }
  parts.push({ text: replacement.slice(end) });
  return parts;
}

/** `$12` is group 12, or group 1 and the text 2. */
function groupNumber(digits: string, count: number): { group: number; length: number } | undefined {
  for (const text of [digits, digits.slice(0, 1)]) {
    const group = Number(text);
    if (group > 0 && group <= count) return { group, length: text.length };
  }
  return undefined;
}

function replaceMatches(
  regex: RE2JS,
  text: string,
  parts: readonly ReplacementPart[],
  { matches, subject }: { matches: 'all' | 'first'; subject: string },
): string {
  const matcher = regex.matcher(text);
  const names = regex.namedGroups();
  // An unknown group name inserts nothing.
  const groupText = (group: number | string): string => {
    const exists = typeof group === 'number' || Object.hasOwn(names, group);
    return (exists && matcher.group(group)) || '';
  };
  let replaced = '';
  let end = 0;
  while (matcher.find()) {
    replaced += text.slice(end, matcher.start());
    for (const part of parts) {
      replaced += 'text' in part ? part.text : groupText(part.group);
      if (replaced.length > maxReplaced) throw tooLong(subject);
    }
    end = matcher.end();
    if (matches === 'first') break;
  }
  return replaced + text.slice(end);
}

function tooLong(subject: string): NodeOperationError {
  return new NodeOperationError(
    `the replacements of ${subject} make a string of more than ${maxReplaced} characters`,
    { description: 'Shorten the replacement or the text, or match less text' },
    'RESULT_TOO_LARGE',
  );
}

function compileBounded(source: string, subject: string, ignoreCase: boolean) {
  const { pattern, flags } = splitFlags(source);
  if (pattern.length > maxPatternLength)
    throw new NodeOperationError(`the regular expression of ${subject} is too long`, {
      description: 'Use a shorter expression',
    });
  const regex = compile(pattern, flags | (ignoreCase ? RE2JS.CASE_INSENSITIVE : 0), subject);
  const maxText = maxWork / regex.programSize();
  const checkLength = (text: string): void => {
    if (text.length <= maxText) return;
    throw new NodeOperationError(`the text is too long for the regular expression of ${subject}`, {
      description: `With this expression, a string may have at most ${Math.floor(maxText)} characters`,
    });
  };
  return { regex, checkLength };
}

const maxCached = 100;

/** Caches compiled patterns for a node run: they rarely differ between items. */
export class RegexCache {
  readonly #compiled = new Map<string, RegexTest>();

  get(source: string, subject: string, ignoreCase: boolean): RegexTest {
    const key = `${ignoreCase} ${subject} ${source}`;
    const cached = this.#compiled.get(key);
    if (cached) return cached;
    const compiled = compileUserRegex(source, subject, ignoreCase);
    if (this.#compiled.size < maxCached) this.#compiled.set(key, compiled);
    return compiled;
  }
}

function compile(pattern: string, flags: number, subject: string): RE2JS {
  try {
    return RE2JS.compile(RE2JS.translateRegExp(pattern), flags);
  } catch (cause) {
    throw new NodeOperationError(`the regular expression of ${subject} is invalid: ${errorMessage(cause)}`, {
      description: 'RE2 syntax applies: no look-ahead, look-behind, or back-references, and repeats up to 1,000',
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
