import { RE2JS } from 're2js';

/** A parsed file path pattern. */
interface GlobPattern {
  /** The part before the first wildcard. */
  base: string;
  /** Maximum number of folders between `base` and a match; `Infinity` with `**`. */
  depth: number;
  /** Whether the pattern names a leading dot explicitly; wildcards do not match it. */
  hidden: boolean;
  matches(path: string): boolean;
}

/** Alternatives and repetitions make a pattern long; no useful pattern is longer. */
const maxLength = 1_000;

const token = /\\(?<literal>.)|\*\*\/|\*+|\?|\[(?<set>!?[^\]/]+)\]|\{(?<choice>[^{}]*)\}|(?<other>[\s\S])/g;

/**
 * A pattern with `*`, `**`, `?`, `[abc]`, `[!abc]`, and `{a,b}`; a backslash escapes the next
 * character. Returns `undefined` if it has no wildcard and names one file. Matching takes linear
 * time in the length of the path, for any pattern. Throws an `Error` for an invalid pattern.
 */
export function parseGlob(pattern: string): GlobPattern | undefined {
  if (pattern.length > maxLength) throw new Error(`it is longer than ${maxLength} characters`);
  const parts = pattern.split('/');
  const first = parts.findIndex((part) => hasWildcard(part));
  if (first < 0) return undefined;
  const regex = RE2JS.compile(`^${toRegex(pattern)}$`, RE2JS.DOTALL);
  return {
    base: plainPath(parts.slice(0, first).join('/')) || '/',
    depth: pattern.includes('**') ? Number.POSITIVE_INFINITY : parts.length - first - 1,
    hidden: parts.slice(first).some((part) => part.startsWith('.')),
    matches: (path) => regex.matches(path),
  };
}

/** The path that a pattern without wildcards names. */
export function plainPath(pattern: string): string {
  return pattern.replace(/\\(.)/g, '$1');
}

function hasWildcard(part: string): boolean {
  return /[*?]|\[[^\]]+\]|\{[^{}]*\}/.test(part.replace(/\\./g, ''));
}

function toRegex(pattern: string): string {
  return [...pattern.matchAll(token)].map(({ 0: text, groups = {} }) => piece(text, groups)).join('');
}

function piece(text: string, { literal, set, choice, other }: Record<string, string | undefined>): string {
  if (literal !== undefined) return RE2JS.quote(literal);
  if (set !== undefined) return set.startsWith('!') ? `[^/${escapeSet(set.slice(1))}]` : `[${escapeSet(set)}]`;
  if (choice !== undefined) return `(?:${choice.split(',').map(toRegex).join('|')})`;
  if (other !== undefined) return RE2JS.quote(other);
  if (text === '**/') return '(?:[^/]*/)*';
  if (text === '?') return '[^/]';
  return text === '*' ? '[^/]*' : '.*';
}

/** Keeps ranges such as `a-z`. */
function escapeSet(set: string): string {
  return set.replace(/[\\^[\]]/g, '\\$&');
}
