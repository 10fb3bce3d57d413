import type { IntlKind, IntlPart } from '../host/host-intl.ts';
import { compareAscii, isPlainAscii } from './ascii-order.ts';
import { define } from './define.ts';
import { askHost } from './host.ts';
import type { Zones } from './zones.ts';

type Locales = string | readonly string[] | undefined;
type Options = Record<string, unknown>;

const dateFields = { year: 'numeric', month: 'numeric', day: 'numeric' };
const timeFields = { hour: 'numeric', minute: 'numeric', second: 'numeric' };
const dateFieldNames = 'weekday year month day dateStyle timeStyle'.split(' ');
const timeFieldNames = 'dayPeriod hour minute second fractionalSecondDigits dateStyle timeStyle'.split(' ');

/** A formatter of the host, as used by the guest. */
class Formatter {
  readonly #kind: IntlKind;
  readonly #locale: string | undefined;
  readonly #options: Options;

  constructor(kind: IntlKind, locales: Locales, options: Options = {}) {
    this.#kind = kind;
    this.#locale = typeof locales === 'string' ? locales : locales?.[0];
    this.#options = options;
    this.resolvedOptions();
  }

  resolvedOptions(): Options {
    return this.#ask();
  }

  protected ask<T>(...values: unknown[]): T {
    return this.#ask(values);
  }

  /** Throws a RangeError for locales, options, and values that the host rejects. */
  #ask<T>(values?: unknown[]): T {
    const query = { kind: this.#kind, options: this.#options };
    const reply = askHost<T>({
      intl: { ...query, ...(this.#locale !== undefined && { locale: this.#locale }), ...(values && { values }) },
    });
    if (reply === null)
      throw new RangeError(`Intl.${this.#kind}: invalid locale, option, or value, or a value that is too long`);
    return reply;
  }
}

/** A formatter that writes text. */
class TextFormatter<Values extends unknown[]> extends Formatter {
  /** A standalone function, as passed to `map`. */
  readonly format = (...values: Values): string =>
    this.formatToParts(...values)
      .map((part) => part.value)
      .join('');
  readonly #toHost: (...values: Values) => unknown[];

  /** `toHost`: converts the values for the host. */
  constructor(kind: IntlKind, toHost: (...values: Values) => unknown[], locales?: Locales, options?: Options) {
    super(kind, locales, options);
    this.#toHost = toHost;
  }

  formatToParts(...values: Values): IntlPart[] {
    return this.ask(...this.#toHost(...values));
  }
}

class NumberFormat extends TextFormatter<[value: unknown]> {
  constructor(locales?: Locales, options?: Options) {
    super('NumberFormat', (value) => [numeric(value)], locales, options);
  }
}

class RelativeTimeFormat extends TextFormatter<[value: number, unit: string]> {
  constructor(locales?: Locales, options?: Options) {
    super('RelativeTimeFormat', (value, unit) => [numeric(value), unit], locales, options);
  }
}

class ListFormat extends TextFormatter<[list: Iterable<string>]> {
  constructor(locales?: Locales, options?: Options) {
    super('ListFormat', (list) => [[...list]], locales, options);
  }
}

class PluralRules extends Formatter {
  constructor(locales?: Locales, options?: Options) {
    super('PluralRules', locales, options);
  }

  select(value: number): string {
    return this.ask(value);
  }
}

class Collator extends Formatter {
  /** A standalone function, as passed to `sort`. */
  readonly compare: (a: unknown, b: unknown) => number;

  constructor(locales?: Locales, options?: Options) {
    super('Collator', locales, options);
    this.compare = (a, b) => this.ask(String(a), String(b));
  }
}

/**
 * Installs `Intl` and the locale-dependent methods of values. The default zone is the workflow's.
 */
export function installIntl(zones: Zones): void {
  class DateTimeFormat extends TextFormatter<[date?: Date | number]> {
    constructor(locales?: Locales, options: Options = {}) {
      const zoned = { ...options, timeZone: options['timeZone'] ?? zones.timezone };
      super('DateTimeFormat', (date = Date.now()) => [validMs(date)], locales, zoned);
    }
  }

  /** `names`: options that replace the default fields. */
  const print = (defaults: Options, names: readonly string[]) =>
    function (this: Date, locales?: Locales, options: Options = {}): string {
      const chosen = names.some((name) => options[name] !== undefined) ? options : { ...defaults, ...options };
      return Number.isNaN(this.getTime()) ? 'Invalid Date' : new DateTimeFormat(locales, chosen).format(this);
    };
  define(globalThis, {
    Intl: {
      DateTimeFormat: callable(DateTimeFormat),
      NumberFormat: callable(NumberFormat),
      Collator: callable(Collator),
      RelativeTimeFormat,
      ListFormat,
      PluralRules,
    },
  });
  define(Date.prototype, {
    toLocaleString: print({ ...dateFields, ...timeFields }, [...dateFieldNames, ...timeFieldNames]),
    toLocaleDateString: print(dateFields, dateFieldNames),
    toLocaleTimeString: print(timeFields, timeFieldNames),
  });
  for (const holder of [Number.prototype, BigInt.prototype]) define(holder, { toLocaleString: printNumber });
  // As JSON, a large integer is text, which keeps its digits.
  define(BigInt.prototype, { toJSON: printInteger });
  define(String.prototype, { localeCompare });
}

/** The language allows calling these without `new`. */
function callable<T extends new (locales?: Locales, options?: Options) => object>(formatter: T): T {
  return new Proxy(formatter, { apply: (target, _this, args) => Reflect.construct(target, args) });
}

function printNumber(this: unknown, locales?: Locales, options?: Options): string {
  return new NumberFormat(locales, options).format((this as number | bigint).valueOf());
}

function localeCompare(this: string, that: unknown, locales?: Locales, options?: Options): number {
  const [a, b] = [String(this), String(that)];
  if (locales === undefined && options === undefined && isPlainAscii(a) && isPlainAscii(b)) return compareAscii(a, b);
  return new Collator(locales, options).compare(a, b);
}

/** A number in JSON form; as text if JSON cannot represent it. */
function numeric(value: unknown): number | string {
  const number = typeof value === 'bigint' || typeof value === 'string' ? value : Number(value);
  if (Object.is(number, -0)) return '-0';
  return typeof number === 'number' && Number.isFinite(number) ? number : String(number);
}

function validMs(date: Date | number): number {
  const ms = Number(date);
  if (Number.isNaN(ms)) throw new RangeError('invalid date');
  return ms;
}

function printInteger(this: bigint): string {
  return String(this);
}
