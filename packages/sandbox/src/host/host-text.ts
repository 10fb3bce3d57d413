export type TextEncoding = 'utf8' | 'latin1' | 'base64' | 'hex';

export interface EncodeQuery {
  text: string;
  from: TextEncoding;
  to: TextEncoding;
}

export interface UrlQuery {
  href: string;
  base?: string;
  /** A part to set before the answer is computed. */
  set?: [name: UrlPart, value: string];
}

const urlParts = [
  'href',
  'origin',
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
export type UrlPart = (typeof urlParts)[number];
export type UrlParts = Record<UrlPart, string>;

const encodings = new Set<string>(['utf8', 'latin1', 'base64', 'hex']);

/** Converts text from one encoding to another. */
export function encode({ text, from, to }: EncodeQuery): string | undefined {
  return encodings.has(to) ? bytesOf(text, from).toString(to) : undefined;
}

/**
 * Throws for anything except text: `Buffer.from` would allocate memory for any object with a
 * length.
 */
export function bytesOf(text: unknown, encoding: TextEncoding): Buffer {
  if (typeof text !== 'string' || !encodings.has(encoding)) throw new TypeError('not text in a known encoding');
  return Buffer.from(text, encoding);
}

/** In characters. The parser cannot be interrupted, and takes up to two seconds for this length. */
const maxUrlLength = 1_000_000;

/** The parts of a URL; `undefined` if it is invalid. Requests of nodes use the same parser. */
export function url({ href, base, set }: UrlQuery): UrlParts | undefined {
  if ([href, base, ...(set ?? [])].some((text) => String(text).length > maxUrlLength)) return undefined;
  const parsed = typeof href === 'string' ? URL.parse(href, base) : null;
  if (!parsed) return undefined;
  if (set) assign(parsed, set);
  return Object.fromEntries(urlParts.map((part) => [part, parsed[part]])) as UrlParts;
}

function assign(parsed: URL, [name, value]: [UrlPart, string]): void {
  if (name !== 'origin' && urlParts.includes(name)) parsed[name] = value;
}
