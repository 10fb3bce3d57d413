import type { UrlPart, UrlParts } from '../host/host-text.ts';
import { define } from './define.ts';
import { askHost } from './host.ts';

type Pair = [name: string, value: string];

const settable = [
  'href',
  'protocol',
  'username',
  'password',
  'host',
  'hostname',
  'port',
  'pathname',
  'search',
  'hash',
] as const;

/** Returns null for an invalid URL. */
export function parseUrl(href: string, base?: string): UrlParts | null {
  return askHost({ url: { href, ...(base !== undefined && { base }) } });
}

/** `application/x-www-form-urlencoded` */
export function encodeForm(pairs: readonly Pair[]): string {
  return pairs.map(([name, value]) => `${encodeFormText(name)}=${encodeFormText(value)}`).join('&');
}

function encodeFormText(text: string): string {
  const encoded = encodeURIComponent(text.toWellFormed()).replace(
    /[!'()~]/g,
    (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return encoded.replaceAll('%20', '+');
}

function decodeForm(text: string): Pair[] {
  const fields = text.split('&').filter((field) => field !== '');
  return fields.map((field) => {
    const [name = '', ...value] = field.replaceAll('+', ' ').split('=');
    return [decodeLoosely(name), decodeLoosely(value.join('='))];
  });
}

/** Invalid encodings are unchanged. */
function decodeLoosely(text: string): string {
  return text.replace(/(?:%[\da-f]{2})+/gi, (encoded) => {
    try {
      return decodeURIComponent(encoded);
    } catch {
      return encoded;
    }
  });
}

function toPairs(init: unknown): Pair[] {
  if (init === undefined || init === null) return [];
  if (typeof init !== 'object') return decodeForm(String(init).replace(/^\?/, ''));
  const entries = Symbol.iterator in init ? [...(init as Iterable<[unknown, unknown]>)] : Object.entries(init);
  return entries.map(([name, value]) => [String(name), String(value)]);
}

class SearchParams {
  #pairs: Pair[];
  readonly #changed: (query: string) => void;

  constructor(init?: unknown, changed: (query: string) => void = () => {}) {
    this.#pairs = toPairs(init);
    this.#changed = changed;
  }

  get size(): number {
    return this.#pairs.length;
  }

  append(name: unknown, value: unknown): void {
    this.#replace([...this.#pairs, [String(name), String(value)]]);
  }

  delete(name: unknown): void {
    this.#replace(this.#pairs.filter(([key]) => key !== String(name)));
  }

  get(name: unknown): string | null {
    return this.getAll(name)[0] ?? null;
  }

  getAll(name: unknown): string[] {
    return this.#pairs.filter(([key]) => key === String(name)).map(([, value]) => value);
  }

  has(name: unknown): boolean {
    return this.getAll(name).length > 0;
  }

  set(name: unknown, value: unknown): void {
    const first = this.#pairs.findIndex(([key]) => key === String(name));
    if (first < 0) this.append(name, value);
    else {
      const others = this.#pairs.filter(([key], index) => index <= first || key !== String(name));
      this.#replace(others.with(first, [String(name), String(value)]));
    }
  }

  sort(): void {
    this.#replace(this.#pairs.toSorted(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)));
  }

  forEach(visit: (value: string, name: string, params: this) => void): void {
    for (const [name, value] of this.#pairs) visit(value, name, this);
  }

  entries(): IterableIterator<Pair> {
    return this.#pairs.map(([name, value]): Pair => [name, value]).values();
  }

  keys(): IterableIterator<string> {
    return this.#pairs.map(([name]) => name).values();
  }

  values(): IterableIterator<string> {
    return this.#pairs.map(([, value]) => value).values();
  }

  [Symbol.iterator](): IterableIterator<Pair> {
    return this.entries();
  }

  toString(): string {
    return encodeForm(this.#pairs);
  }

  #replace(pairs: Pair[]): void {
    this.#pairs = pairs;
    this.#changed(this.toString());
  }
}

/** The web's `URL` class. The host's parser provides its parts. */
class WebUrl {
  #parts: UrlParts;
  #params: SearchParams | undefined;

  constructor(href: unknown, base?: unknown) {
    const parts = parseUrl(String(href), base === undefined ? undefined : String(base));
    if (!parts) throw new TypeError(`Invalid URL: ${String(href).substring(0, 200)}`);
    this.#parts = parts;
  }

  static canParse(href: unknown, base?: unknown): boolean {
    return parseUrl(String(href), base === undefined ? undefined : String(base)) !== null;
  }

  static parse(href: unknown, base?: unknown): WebUrl | null {
    return WebUrl.canParse(href, base) ? new WebUrl(href, base) : null;
  }

  get searchParams(): SearchParams {
    this.#params ??= new SearchParams(this.#parts.search, (query) => this.write('search', query, true));
    return this.#params;
  }

  read(part: UrlPart): string {
    return this.#parts[part];
  }

  write(part: UrlPart, value: string, byParams = false): void {
    const parts = askHost<UrlParts>({ url: { href: this.#parts.href, set: [part, value] } });
    if (parts) this.#parts = parts;
    if (!byParams) this.#params = undefined;
  }

  toString(): string {
    return this.#parts.href;
  }

  toJSON(): string {
    return this.#parts.href;
  }
}

/** Defines the globals. Accessors of the parts are on the prototype, as in the standard. */
export function installUrl(): void {
  const { read, write } = WebUrl.prototype;
  for (const part of [...settable, 'origin'] as const) {
    Object.defineProperty(WebUrl.prototype, part, {
      get(this: WebUrl) {
        return read.call(this, part);
      },
      ...(part !== 'origin' && {
        set(this: WebUrl, value: unknown) {
          write.call(this, part, String(value));
        },
      }),
      enumerable: true,
      configurable: true,
    });
  }
  Object.defineProperty(WebUrl, 'name', { value: 'URL' });
  Object.defineProperty(SearchParams, 'name', { value: 'URLSearchParams' });
  define(globalThis, { URL: WebUrl, URLSearchParams: SearchParams });
}
