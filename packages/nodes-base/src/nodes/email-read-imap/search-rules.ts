import { isJsonObject, type JsonValue, NodeOperationError } from '@sluice/node-sdk';
import type { SearchObject } from 'imapflow';
import { stringOf } from '../../shared/coerced-text.ts';
import { describeValue, parseJsonParameter } from '../../shared/parameters.ts';

/** Rules without a value → their search. */
const flags: ReadonlyMap<string, SearchObject> = new Map<string, SearchObject>([
  ['ALL', { all: true }],
  ['NEW', { new: true }],
  ['OLD', { old: true }],
  ['RECENT', { recent: true }],
  ...(['answered', 'deleted', 'draft', 'flagged', 'seen'] as const).flatMap((flag): [string, SearchObject][] => [
    [flag.toUpperCase(), { [flag]: true }],
    [`UN${flag.toUpperCase()}`, { [flag]: false }],
  ]),
]);

const texts = new Map(
  (['bcc', 'body', 'cc', 'from', 'keyword', 'subject', 'text', 'to', 'unKeyword'] as const).map((name) => [
    name.toUpperCase(),
    name,
  ]),
);
const dates = new Map(
  (['before', 'on', 'since', 'sentBefore', 'sentOn', 'sentSince'] as const).map((name) => [name.toUpperCase(), name]),
);
const sizes = new Map((['larger', 'smaller'] as const).map((name) => [name.toUpperCase(), name]));

/** Maximum number of rules, of nested rules, and of characters in text. */
const limits = { rules: 50, depth: 5, text: 1_000 };

/**
 * The searches for rules written as JSON; a message must match all of them. Rules are names, and
 * lists that start with a name: `["UNSEEN", ["SINCE", "2026-11-01"], ["!FROM", "ann"], ["OR",
 * "FLAGGED", ["SUBJECT", "order"]]]`. Throws `NodeOperationError`.
 */
export function searchRules(text: string): SearchObject[] {
  const rules = parseJsonParameter('options.customEmailConfig', text, 0);
  if (!Array.isArray(rules)) throw wrong(rules, 'is not a list of rules');
  if (rules.length > limits.rules)
    throw new NodeOperationError(`more than ${limits.rules} search rules`, {
      description: 'Use fewer rules, and filter the emails afterwards',
    });
  return joined(rules.map((rule) => searchOf(rule, limits.depth)));
}

/** Merges searches into as few as possible: each field can occur once in a search. */
function joined(searches: readonly SearchObject[]): SearchObject[] {
  const result: SearchObject[] = [];
  for (const search of searches) {
    const target = result.find((candidate) => Object.keys(search).every((key) => !(key in candidate)));
    if (target) Object.assign(target, search);
    else result.push({ ...search });
  }
  return result.length > 0 ? result : [{ all: true }];
}

function searchOf(rule: JsonValue, depth: number): SearchObject {
  if (depth === 0) throw wrong(rule, 'is nested too deeply');
  const [name, ...values] = Array.isArray(rule) ? rule : [rule];
  if (typeof name !== 'string') throw wrong(rule, 'has no name');
  const search = plainSearch(name.replace(/^!/, '').toUpperCase(), values, rule, depth);
  return name.startsWith('!') ? { not: search } : search;
}

function plainSearch(name: string, values: readonly JsonValue[], rule: JsonValue, depth: number): SearchObject {
  const flag = flags.get(name);
  if (flag) return flag;
  if (name === 'OR') return { or: values.map((value) => searchOf(value, depth - 1)) };
  const [text, date, size] = [texts.get(name), dates.get(name), sizes.get(name)];
  if (text) return { [text]: textOf(values[0], rule) };
  if (date) return { [date]: dateOf(values[0], rule) };
  if (size) return { [size]: numberOf(values[0], rule) };
  if (name === 'HEADER')
    return {
      header: { [headerOf(values[0], rule)]: values[1] === undefined || values[1] === '' ? true : textOf(values[1], rule) },
    };
  if (name === 'UID') return { uid: sequenceOf(values, rule) };
  throw wrong(rule, 'is unknown');
}

function textOf(value: JsonValue | undefined, rule: JsonValue): string {
  const text = typeof value === 'number' ? stringOf(value) : value;
  // biome-ignore lint/suspicious/noControlCharactersInRegex: a line of the protocol must not end within a string.
  if (typeof text === 'string' && text.length <= limits.text && !/[\x00-\x1f]/.test(text)) return text;
  throw wrong(rule, 'needs a single line of text');
}

function headerOf(value: JsonValue | undefined, rule: JsonValue): string {
  if (typeof value === 'string' && /^[!-9;-~]{1,100}$/.test(value)) return value;
  throw wrong(rule, 'needs the name of a header');
}

function dateOf(value: JsonValue | undefined, rule: JsonValue): Date {
  const date = new Date(typeof value === 'string' || typeof value === 'number' ? value : Number.NaN);
  if (Number.isNaN(date.getTime())) throw wrong(rule, 'needs a date');
  return date;
}

function numberOf(value: JsonValue | undefined, rule: JsonValue): number {
  const number = Number(typeof value === 'string' || typeof value === 'number' ? value : Number.NaN);
  if (!Number.isSafeInteger(number) || number < 0) throw wrong(rule, 'needs a number of bytes');
  return number;
}

function sequenceOf(values: readonly JsonValue[], rule: JsonValue): string {
  const sequence = values.flat().join(',');
  if (!/^(\d+|\*)(:(\d+|\*))?(,(\d+|\*)(:(\d+|\*))?)*$/.test(sequence) || sequence.length > limits.text)
    throw wrong(rule, 'needs numbers');
  return sequence;
}

function wrong(rule: JsonValue, problem: string): NodeOperationError {
  const ruleText = isJsonObject(rule) || Array.isArray(rule) ? JSON.stringify(rule).slice(0, 100) : describeValue(rule);
  return new NodeOperationError(`the search rule ${ruleText} ${problem}`, {
    description: 'Use IMAP rules such as ["UNSEEN", ["SINCE", "2026-11-01"]]',
  });
}
