import { AppError, TimeSlice } from '@sluice/domain';

/**
 * Most characters that the URL of a request may have: more than servers accept. Bounds the time for
 * which encoding and parsing it hold the event loop.
 */
export const maxUrlLength = 256 * 1024;

/**
 * Throws `HTTP_INVALID_URL` for a URL, or parts of one, with more than `maxUrlLength` characters,
 * with one between parts.
 */
export function assertUrlLength(parts: readonly string[]): void {
  if (parts.reduce((sum, { length }) => sum + length + 1, -1) <= maxUrlLength) return;
  throw new AppError({
    code: 'HTTP_INVALID_URL',
    message: `the URL cannot be requested: with its query it is longer than ${maxUrlLength} characters`,
  });
}

type Pairs = readonly (readonly [string, string])[];

/** The query of a URL. Throws `HTTP_INVALID_URL` if the pairs are too long for one. */
export function encodeQuery(pairs: Pairs): string {
  assertUrlLength(pairs.flat());
  return new URLSearchParams(pairs.map(([name, value]): [string, string] => [name, value])).toString();
}

/**
 * A body of `application/x-www-form-urlencoded`, encoded in time slices. `space`: how a space is
 * written.
 */
export async function encodeForm(pairs: Iterable<readonly [string, string]>, space: '+' | '%20' = '+'): Promise<string> {
  const slice = new TimeSlice();
  const texts: string[] = [];
  for (const [name, value] of pairs) {
    if (texts.length > 0) texts.push('&');
    await encodeText(name, space, slice, texts);
    texts.push('=');
    await encodeText(value, space, slice, texts);
  }
  return texts.join('');
}

/** Characters encoded at once, which takes a few milliseconds. */
const pieceLength = 16 * 1024;

async function encodeText(text: string, space: string, slice: TimeSlice, into: string[]): Promise<void> {
  for (let start = 0; start < text.length; ) {
    const end = start + pieceLength + (isHighSurrogate(text, start + pieceLength - 1) ? 1 : 0);
    const encoded = new URLSearchParams([['', text.slice(start, end)]]).toString().slice(1);
    // Not `replaceAll`: its result is a tree of thousands of texts, and the last join would flatten all of them at once.
    into.push(space === '+' ? encoded : encoded.split('+').join(space));
    start = end;
    if (slice.isOver) await slice.next();
  }
}

function isHighSurrogate(text: string, at: number): boolean {
  return (text.charCodeAt(at) & 0xfc00) === 0xd800;
}
