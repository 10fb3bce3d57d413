import { AppError, TimeSlice } from '@sluice/domain';

/**
 * Maximum length of a request URL, in characters; longer than servers accept. Bounds the time for
 * which encoding and parsing it block the event loop.
 */
export const maxUrlLength = 256 * 1024;

/**
 * Throws `HTTP_INVALID_URL` for a URL, or parts of a URL, longer than `maxUrlLength` characters,
 * counting one separator between parts.
 */
export function assertUrlLength(parts: readonly string[]): void {
  if (parts.reduce((sum, { length }) => sum + length + 1, -1) > maxUrlLength) throw urlTooLong();
}

function urlTooLong(): AppError {
  return new AppError({
    code: 'HTTP_INVALID_URL',
    message: `the URL cannot be requested: with its query it is longer than ${maxUrlLength} characters`,
  });
}

type Pairs = Iterable<readonly [string, string]>;

/**
 * The query of a URL. Throws `HTTP_INVALID_URL` if the pairs are too long for a URL, without
 * reading the rest.
 */
export function encodeQuery(pairs: Pairs): string {
  const ownPairs: [string, string][] = [];
  let length = -1;
  for (const [name, value] of pairs) {
    length += name.length + value.length + 2;
    if (length > maxUrlLength) throw urlTooLong();
    ownPairs.push([name, value]);
  }
  return new URLSearchParams(ownPairs).toString();
}

/**
 * Maximum total length of a form's names and values, in characters. The names of nested values
 * repeat, so they may be many times as long as the data.
 */
export const maxFormLength = 128 * 1024 * 1024;

/**
 * An `application/x-www-form-urlencoded` body, encoded in time slices. Throws
 * `HTTP_INVALID_REQUEST` for more than `maxFormLength` characters. `space`: how a space is encoded.
 */
export async function encodeForm(pairs: Pairs, space: '+' | '%20' = '+'): Promise<string> {
  const slice = new TimeSlice();
  const texts: string[] = [];
  let length = 0;
  for (const [name, value] of pairs) {
    length += name.length + value.length;
    if (length > maxFormLength) throw formTooLong();
    if (texts.length > 0) texts.push('&');
    await encodeText(name, space, slice, texts);
    texts.push('=');
    await encodeText(value, space, slice, texts);
  }
  return texts.join('');
}

function formTooLong(): AppError {
  return new AppError({
    code: 'HTTP_INVALID_REQUEST',
    message: `the form cannot be sent: its names and values have more than ${maxFormLength} characters`,
  });
}

/** Number of characters encoded at once, which takes a few milliseconds. */
const chunkLength = 16 * 1024;

async function encodeText(text: string, space: string, slice: TimeSlice, into: string[]): Promise<void> {
  for (let start = 0; start < text.length; ) {
    const end = start + chunkLength + (isHighSurrogate(text, start + chunkLength - 1) ? 1 : 0);
    const encoded = new URLSearchParams([['', text.slice(start, end)]]).toString().slice(1);
    // Not `replaceAll`: its result is a tree of thousands of strings, and the last join would
    // flatten all of them at once.
    into.push(space === '+' ? encoded : encoded.split('+').join(space));
    start = end;
    if (slice.isOver) await slice.next();
  }
}

function isHighSurrogate(text: string, at: number): boolean {
  return (text.charCodeAt(at) & 0xfc00) === 0xd800;
}
