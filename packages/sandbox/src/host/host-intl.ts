import QuickLRU from 'quick-lru';
import { cached } from './cached.ts';

export type IntlKind = keyof typeof optionNames;

export interface IntlQuery {
  kind: IntlKind;
  /** BCP 47; absent: `en-US`. */
  locale?: string;
  /** Options of the constructor, by name. Unknown options are ignored. */
  options: Record<string, unknown>;
  /** Values to print or compare; absent: returns the resolved options. */
  values?: unknown[];
}

export interface IntlPart {
  type: string;
  value: string;
}

const maxTextLength = 64;
const maxFormatters = 200;
const formatters = new QuickLRU<string, object>({ maxSize: maxFormatters });

// Maximum length, because a formatter cannot be interrupted, and its time may grow with the square
// of its input: minutes for a few hundred thousand characters.

/** In characters. */
const maxNumberLength = 10_000;
const maxListLength = 10_000;
/**
 * Strings of up to this length are compared within two milliseconds, regardless of their content.
 */
const maxUncheckedLength = 1_000;
/** More consecutive combining marks than any language uses. They make comparisons slow. */
const manyMarks = /\p{M}{100}/u;

const common = ['localeMatcher', 'numberingSystem'];
const optionNames = {
  DateTimeFormat:
    'timeZone hour12 hourCycle weekday era year month day dayPeriod hour minute second fractionalSecondDigits timeZoneName dateStyle timeStyle calendar',
  NumberFormat:
    'style currency currencyDisplay currencySign unit unitDisplay minimumIntegerDigits minimumFractionDigits maximumFractionDigits minimumSignificantDigits maximumSignificantDigits roundingPriority roundingIncrement roundingMode trailingZeroDisplay notation compactDisplay useGrouping signDisplay',
  RelativeTimeFormat: 'numeric style',
  ListFormat: 'type style',
  PluralRules: 'type minimumIntegerDigits minimumFractionDigits maximumFractionDigits',
  Collator: 'usage sensitivity ignorePunctuation numeric caseFirst collation',
};

/**
 * Calls a formatter of the host's `Intl`: returns parts for formatting, a number for `Collator`, a
 * category for `PluralRules`. Throws for locales, options, and values that it rejects.
 */
export function intl({ kind, locale = 'en-US', options, values }: IntlQuery): unknown {
  if (!Object.hasOwn(optionNames, kind)) throw new RangeError('unknown formatter');
  const validOptions = knownOptions(kind, options);
  const name = String(locale).slice(0, maxTextLength);
  const key = JSON.stringify([kind, name, validOptions]);
  const formatter = cached(formatters, key, () => Reflect.construct(Intl[kind], [name, validOptions]));
  return values ? ask(kind, formatter, values) : (formatter as Intl.DateTimeFormat).resolvedOptions();
}

function ask(kind: IntlKind, formatter: unknown, [first, second]: unknown[]): unknown {
  switch (kind) {
    case 'DateTimeFormat':
      return (formatter as Intl.DateTimeFormat).formatToParts(first as number);
    case 'NumberFormat':
      return (formatter as Intl.NumberFormat).formatToParts(checkedNumber(first));
    case 'RelativeTimeFormat':
      return (formatter as Intl.RelativeTimeFormat).formatToParts(Number(first), second as Intl.RelativeTimeFormatUnit);
    case 'ListFormat':
      return (formatter as Intl.ListFormat).formatToParts(checkedList(first));
    case 'PluralRules':
      return (formatter as Intl.PluralRules).select(Number(first));
    case 'Collator':
      return (formatter as Intl.Collator).compare(checkedText(first), checkedText(second));
  }
}

function checkedNumber(value: unknown): number | Intl.StringNumericLiteral {
  if (typeof value === 'number') return value;
  if (typeof value !== 'string' || value.length > maxNumberLength) throw new RangeError('not a number, or too long');
  return value as Intl.StringNumericLiteral;
}

function checkedList(value: unknown): string[] {
  if (!Array.isArray(value) || value.length > maxListLength) throw new RangeError('not a list, or too long');
  return value;
}

function checkedText(value: unknown): string {
  const text = String(value);
  if (text.length > maxUncheckedLength && manyMarks.test(text)) throw new RangeError('too many combining marks');
  return text;
}

/**
 * Options come from user text, so only known names with short strings, numbers, and booleans are
 * accepted.
 */
function knownOptions(kind: IntlKind, requested: Record<string, unknown>): Record<string, unknown> {
  const options: Record<string, unknown> = {};
  for (const name of [...optionNames[kind].split(' '), ...common]) {
    const value = Object.hasOwn(requested, name) ? requested[name] : undefined;
    if (typeof value === 'boolean' || typeof value === 'number') options[name] = value;
    else if (typeof value === 'string' && value.length <= maxTextLength) options[name] = value;
  }
  return options;
}
