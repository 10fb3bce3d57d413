import type { FormattedDate } from '../host-zones.ts';
import type { Zones } from './zones.ts';

type Options = Record<string, unknown>;

const dateFields = { year: 'numeric', month: 'numeric', day: 'numeric' };
const timeFields = { hour: 'numeric', minute: 'numeric', second: 'numeric' };
const fieldNames = 'weekday year month day dayPeriod hour minute second fractionalSecondDigits dateStyle timeStyle'.split(' ');

/**
 * Gives the guest the part of `Intl` that dates need, and the `Date` methods that print by locale. The workflow's zone is the
 * default one.
 */
export function installIntl(zones: Zones): void {
  class DateTimeFormat {
    readonly #locale: string | undefined;
    readonly #options: Options;

    constructor(locales?: string | string[], options: Options = {}) {
      this.#locale = Array.isArray(locales) ? locales[0] : locales;
      this.#options = { ...options, timeZone: options['timeZone'] ?? zones.timezone };
      this.#ask();
    }

    format(date?: Date | number): string {
      return this.formatToParts(date)
        .map((part) => part.value)
        .join('');
    }

    formatToParts(date: Date | number = Date.now()): FormattedDate['parts'] {
      return this.#ask(Number(date)).parts;
    }

    resolvedOptions(): Options {
      return this.#ask().resolved;
    }

    #ask(ms?: number): FormattedDate {
      if (Number.isNaN(ms)) throw new RangeError('invalid date');
      return zones.format({
        options: this.#options,
        ...(this.#locale !== undefined && { locale: this.#locale }),
        ...(ms !== undefined && { ms }),
      });
    }
  }

  const print = (defaults: Options) =>
    function (this: Date, locales?: string | string[], options: Options = {}): string {
      const chosen = fieldNames.some((name) => options[name] !== undefined) ? options : { ...defaults, ...options };
      return Number.isNaN(this.getTime()) ? 'Invalid Date' : new DateTimeFormat(locales, chosen).format(this);
    };
  define(globalThis, 'Intl', { DateTimeFormat });
  define(Date.prototype, 'toLocaleString', print({ ...dateFields, ...timeFields }));
  define(Date.prototype, 'toLocaleDateString', print(dateFields));
  define(Date.prototype, 'toLocaleTimeString', print(timeFields));
}

function define(holder: object, name: string, value: unknown): void {
  Object.defineProperty(holder, name, { value, writable: true, configurable: true });
}
