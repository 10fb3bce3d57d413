import { isIP } from 'node:net';
import { delimiter, resolve } from 'node:path';

interface Expected {
  pattern: RegExp;
  message: string;
}

/**
 * One environment variable: its meaning, its default, and its parser. Types, messages, and
 * `.env.example` follow from it.
 *
 * Not a TypeBox schema: TypeBox reads `80.5` as 80 and `0x10` as 16, reports only one bound of a
 * range, and costs each process 31 MB and 0.1 s.
 */
export interface Setting<T> {
  /** For `.env.example`: meaning, unit and allowed values. */
  about: string;
  /** The default as text; `undefined` if an absent setting is `null`. */
  fallback: string | undefined;
  /**
   * Throws an `Error` that states what is expected and never quotes the value, which may be a
   * secret.
   */
  parse(text: string): T;
}

/** An optional setting: `null` if absent. */
export type Optional<T> = Setting<T> & { fallback: undefined };
export type Required<T> = Setting<T> & { fallback: string };

export function integer(fallback: number, range: { min: number; max: number }, about: string): Required<number> {
  return {
    about,
    fallback: String(fallback),
    parse(text) {
      const value = /^-?\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
      if (value >= range.min && value <= range.max) return value;
      throw new Error(`must be a whole number from ${range.min} to ${range.max}`);
    },
  };
}

/** A number with at most six decimals. */
export function decimal(fallback: number, range: { min: number; max: number }, about: string): Required<number> {
  return {
    about,
    fallback: String(fallback),
    parse(text) {
      const value = /^\d{1,15}(?:\.\d{1,6})?$/.test(text) ? Number(text) : Number.NaN;
      if (value >= range.min && value <= range.max) return value;
      throw new Error(`must be a number from ${range.min} to ${range.max}, with at most six decimals`);
    },
  };
}

/** A whole number, or `auto`, the default. */
export function integerOrAuto(range: { min: number; max: number }, about: string): Required<number | 'auto'> {
  const { parse } = integer(range.min, range, about);
  return {
    about,
    fallback: 'auto',
    parse(text) {
      if (text === 'auto') return text;
      try {
        return parse(text);
      } catch {
        throw new Error(`must be "auto", or a whole number from ${range.min} to ${range.max}`);
      }
    },
  };
}

export function choice<const T extends string>(fallback: T, choices: readonly T[], about: string): Required<T> {
  return {
    about,
    fallback,
    parse(text) {
      const match = choices.find((candidate) => candidate === text);
      if (match !== undefined) return match;
      throw new Error(`must be one of ${choices.join(', ')}`);
    },
  };
}

export function text(fallback: string, expected: Expected, about: string): Required<string> {
  return { about, fallback, parse: (value) => matching(value, expected) };
}

export function optionalText(expected: Expected, about: string): Optional<string> {
  return { about, fallback: undefined, parse: (value) => matching(value, expected) };
}

/** A URL that matches the pattern. */
export function optionalUrl(expected: Expected, about: string): Optional<string> {
  return {
    about,
    fallback: undefined,
    parse(value) {
      // A pattern does not detect a port of 99999 or an incomplete IPv6 address.
      if (URL.canParse(value)) return matching(value, expected);
      throw new Error(expected.message);
    },
  };
}

export function timezone(fallback: string, about: string): Required<string> {
  return {
    about,
    fallback,
    parse(value) {
      try {
        // Querying Intl loads its data, which would delay every start.
        if (value !== fallback) new Intl.DateTimeFormat('en', { timeZone: value });
        return value;
      } catch {
        throw new Error('must be an IANA time zone such as Europe/Vienna');
      }
    },
  };
}

/** Comma-separated strings that match the pattern. */
export function list({ pattern, message }: Expected, about: string): Required<readonly string[]> {
  return { about, fallback: '', parse: (value) => entriesOf(value, (entry) => pattern.test(entry), message) };
}

export function optionalList(expected: Expected, about: string): Optional<readonly string[]> {
  return { ...list(expected, about), fallback: undefined };
}

/**
 * CIDRs, addresses and host names, separated by commas, each with an optional port. A host name may
 * start with `*.`.
 */
export function networkList(about: string): Required<readonly string[]> {
  return targetList(isTarget, 'must list CIDRs, addresses and host names, separated by commas', about);
}

/**
 * The same without wildcards; a host name needs a port, and an IPv6 address with a port needs
 * brackets.
 */
export function refusedList(about: string): Required<readonly string[]> {
  const isRefusable = (entry: string) => isTarget(entry) && (isNetwork(splitPort(entry).target) || /^[^*]+:\d+$/.test(entry));
  return targetList(isRefusable, 'must list CIDRs, addresses and host names with a port, separated by commas', about);
}

function targetList(isValid: (entry: string) => boolean, expected: string, about: string): Required<readonly string[]> {
  const message = (wrong: string) => `${expected}; "${wrong}" is none of them`;
  return { about, fallback: '', parse: (value) => entriesOf(value, isValid, message) };
}

function entriesOf(
  value: string,
  isValid: (entry: string) => boolean,
  message: string | ((wrong: string) => string),
): readonly string[] {
  const entries = split(value, ',').filter((entry) => entry !== '');
  const wrong = entries.find((entry) => !isValid(entry));
  if (wrong === undefined) return Object.freeze(entries);
  throw new Error(typeof message === 'string' ? message : message(wrong));
}

function split(value: string, separator: string | RegExp): string[] {
  return value.split(separator).map((entry) => entry.trim());
}

/**
 * Folders, separated by commas, semicolons, or the platform's path list separator; returned as
 * absolute paths.
 */
export function folderList(about: string): Required<readonly string[]> {
  const separator = delimiter === ':' ? /[:;,]/ : /[;,]/;
  return {
    about,
    fallback: '',
    parse(value) {
      if (value.includes('\0')) throw new Error('must list folders');
      const folders = split(value, separator).filter((folder) => folder !== '');
      return Object.freeze(folders.map((folder) => resolve(folder)));
    },
  };
}

/** Comma-separated secrets of at least `minLength` characters each. */
export function secretList(minLength: number, about: string): Optional<readonly string[]> {
  return {
    about,
    fallback: undefined,
    parse(value) {
      const entries = split(value, ',');
      if (entries.every((entry) => entry.length >= minLength)) return Object.freeze(entries);
      throw new Error(`must list keys of ${minLength} or more characters, separated by commas`);
    },
  };
}

function matching(value: string, { pattern, message }: Expected): string {
  if (pattern.test(value)) return value;
  throw new Error(message);
}

function isTarget(entry: string): boolean {
  const { target, port } = splitPort(entry);
  const isPort = port === undefined || (Number(port) >= 1 && Number(port) <= 65_535);
  return isPort && (isNetwork(target) || isHostName(target));
}

/** An IPv6 address with a port requires brackets: `[fd00::5]:6379`. */
function splitPort(entry: string): { target: string; port?: string | undefined } {
  const bracketed = /^\[([^\]:]*:[^\]]*)\](?::(\d{1,5}))?$/.exec(entry);
  if (bracketed) return { target: bracketed[1] as string, port: bracketed[2] };
  const [, target, port] = /^([^:]+):(\d{1,5})$/.exec(entry) ?? [];
  return target === undefined ? { target: entry } : { target, port };
}

function isNetwork(target: string): boolean {
  const [address = '', prefix, ...rest] = target.split('/');
  const family = isIP(address);
  if (family === 0 || rest.length > 0) return false;
  return prefix === undefined || (/^\d{1,3}$/.test(prefix) && Number(prefix) <= (family === 4 ? 32 : 128));
}

/** The last label must not be a number: such a string is a mistyped address. */
function isHostName(value: string): boolean {
  return /^(\*\.)?([a-z0-9_]([a-z0-9_-]*[a-z0-9_])?\.)*(?!\d+$)[a-z0-9_]([a-z0-9_-]*[a-z0-9_])?$/i.test(value);
}

/** Price of a language model in USD, for a million tokens. */
export interface ModelPrice {
  /** Its name, or a prefix of it followed by `*`. */
  model: string;
  input: number;
  output: number;
}

/** Prices of models, written `name=input/output,…`. */
export function priceTable(about: string): Required<readonly ModelPrice[]> {
  return {
    about,
    fallback: '',
    parse(value) {
      const entries = value.split(',').filter((entry) => entry.trim() !== '');
      return Object.freeze(entries.map(priceIn));
    },
  };
}

function priceIn(entry: string): ModelPrice {
  const number = String.raw`(\d{1,9}(?:\.\d{1,9})?)`;
  const [, model, input, output] = new RegExp(`^\\s*([^\\s=,*]+\\*?)=${number}/${number}\\s*$`).exec(entry) ?? [];
  if (model === undefined) throw new Error('must be a list such as gpt-4o-mini=0.15/0.6, with the USD for a million tokens');
  return { model, input: Number(input), output: Number(output) };
}

/**
 * A positive number for each name of `fallback`, written `name=number,…`; omitted names keep their
 * number. `zero`: 0 is allowed.
 */
export function numberTable<const Name extends string>(
  fallback: Readonly<Record<Name, number>>,
  about: string,
  { zero = false, max = 999_999_999 }: { zero?: boolean; max?: number } = {},
): Required<Readonly<Record<Name, number>>> {
  const names = Object.keys(fallback) as Name[];
  const expected = () =>
    new Error(
      `must be a list such as ${names[0]}=1.5, of the names ${names.join(', ')}, each with a ${zero ? '' : 'positive '}number up to ${max}`,
    );
  return {
    about,
    fallback: names.map((name) => `${name}=${fallback[name]}`).join(','),
    parse(value) {
      const table: Record<string, number> = { ...fallback };
      for (const entry of value.split(',')) {
        const [, name, number] = /^\s*(\w+)=(\d{1,9}(?:\.\d{1,6})?)\s*$/.exec(entry) ?? [];
        const amount = Number(number);
        if (name === undefined || !Object.hasOwn(fallback, name) || amount > max || !(zero || amount > 0)) throw expected();
        table[name] = amount;
      }
      return Object.freeze(table) as Readonly<Record<Name, number>>;
    },
  };
}
