import { BeyondHost, type HostBudget } from '@sluice/expressions';
import type { Expression } from 'acorn';
import { type BoundedPattern, boundedPattern } from './regex-cost.ts';
import { assertShort } from './text-length.ts';

/*
 * Calls with a regular expression that is a literal. Its steps are bounded before it runs; the
 * guest evaluates all other patterns, and texts that are too long for the pattern.
 */

/** Maximum number of steps in one call. */
const maxSteps = 4_000_000;
const stepsPerOperation = 100;
/** Maximum number of parts into which a text is split. */
const maxParts = 10_000;

/** A regular expression that the host may run. */
export interface HostRegex {
  regex: RegExp;
  pattern: BoundedPattern;
}

/** A text, the values of the other arguments, and the regular expression of a call. */
interface RegexCall {
  text: string;
  values: readonly unknown[];
  regex: HostRegex;
}

type Call = (call: RegexCall) => unknown;

const groupsOf: Call = ({ text, regex: { regex } }) => {
  const match = regex.exec(text);
  return match && [...match];
};

/** Methods of regular expressions, which take the text. */
const regexMethods = new Map<string, Call>([
  ['test', ({ text, regex: { regex } }) => regex.test(text)],
  ['exec', groupsOf],
]);

/** Methods of text, which take the regular expression and other values. */
const textMethods = new Map<string, Call>([
  ['match', (call) => (call.regex.regex.global ? call.text.match(call.regex.regex) : groupsOf(call))],
  ['replace', (call) => call.text.replace(call.regex.regex, replacementOf(call))],
  ['replaceAll', (call) => call.text.replaceAll(call.regex.regex, replacementOf(call))],
  ['search', ({ text, regex: { regex } }) => text.search(regex)],
  ['split', split],
]);

export function isRegexMethod(name: string): boolean {
  return regexMethods.has(name);
}

export function takesRegex(name: string): boolean {
  return textMethods.has(name);
}

/** The regular expression of a literal; `undefined` for other nodes and patterns. */
export function hostRegexOf(node: Expression): HostRegex | undefined {
  if (node.type !== 'Literal' || !node.regex) return undefined;
  const { pattern, flags } = node.regex;
  const bounded = boundedPattern(pattern, flags);
  return bounded && { regex: new RegExp(bounded.source, flags), pattern: bounded };
}

/** Calls a method of a text or of the regular expression. */
export function callRegex(
  name: string,
  { text, values, regex }: { text: unknown; values: readonly unknown[]; regex: HostRegex },
  budget: HostBudget,
): unknown {
  if (typeof text !== 'string') throw BeyondHost.instance;
  assertShort(text.length);
  budget.spendText(text.length);
  const steps = regex.pattern.stepsIn(text.length);
  // Engines know different letters, according to their version of Unicode.
  if (steps > maxSteps || (regex.regex.ignoreCase && !isAscii(text))) throw BeyondHost.instance;
  budget.spendWork(steps / stepsPerOperation);
  // A literal is a new object whenever it is evaluated.
  regex.regex.lastIndex = 0;
  return (regexMethods.get(name) ?? textMethods.get(name))?.({ text, values, regex });
}

/** The replacement, if the result is short. It may insert groups, not text around a match. */
function replacementOf({ text, values: [replacement, ...more], regex: { regex, pattern } }: RegexCall): string {
  if (typeof replacement !== 'string' || more.length > 0) throw BeyondHost.instance;
  const inserted = replacement.match(/\$[^$]/g) ?? [];
  if (!inserted.every((reference) => /^\$[\d&]$/.test(reference))) throw BeyondHost.instance;
  // Matches do not overlap, so that their groups together are no longer than the text each time.
  const matches = regex.global ? text.length / Math.max(1, pattern.width) + 1 : 1;
  assertShort(text.length * (1 + inserted.length) + matches * replacement.length);
  return replacement;
}

/** Groups would be parts as well. */
function split({ text, values, regex: { regex, pattern } }: RegexCall): string[] {
  const parts = text.length / Math.max(1, pattern.width) + 1;
  if (values.length > 0 || pattern.groups > 0 || parts > maxParts) throw BeyondHost.instance;
  return text.split(regex);
}

function isAscii(text: string): boolean {
  return !/[^\0-\x7f]/.test(text);
}
