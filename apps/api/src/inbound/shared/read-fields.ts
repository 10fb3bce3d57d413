import { type JsonObject, type JsonValue, PayloadTooLargeError, TimeSlice, userKeyed } from '@sluice/domain';
import { decodeText, pieceBytes } from './decode-text.ts';
import { maxParts } from './read-form.ts';

const ampersand = 0x26;
const equalsSign = 0x3d;
const plus = 0x2b;
const space = 0x20;
const percent = 0x25;

/**
 * Reads a body of `application/x-www-form-urlencoded` in time slices. Names and values are bytes in
 * the charset of the decoders, escaped or not. A repeated field becomes a list. Throws
 * `PayloadTooLargeError` for too many fields, and as the decoder does for bytes that are invalid in
 * the charset.
 */
export async function readFields(raw: Buffer, newDecoder: () => TextDecoder): Promise<JsonObject> {
  const slice = new TimeSlice();
  const textOf = async (bytes: Buffer) => decodeText(await unescaped(bytes, slice), newDecoder(), slice);
  const fields = new Map<string, JsonValue[]>();
  for (const pair of splitPairs(raw)) {
    if (pair.length === 0) continue;
    const at = pair.indexOf(equalsSign);
    const name = await textOf(at === -1 ? pair : pair.subarray(0, at));
    const value = at === -1 ? '' : await textOf(pair.subarray(at + 1));
    const values = fields.get(name);
    if (values) values.push(value);
    else fields.set(name, [value]);
    if (slice.isOver) await slice.next();
  }
  return userKeyed([...fields].map(([name, values]) => [name, values.length > 1 ? values : (values[0] ?? '')] as const));
}

function splitPairs(raw: Buffer): Buffer[] {
  const pairs: Buffer[] = [];
  for (let start = 0; start <= raw.length; ) {
    const found = raw.indexOf(ampersand, start);
    const end = found === -1 ? raw.length : found;
    pairs.push(raw.subarray(start, end));
    if (pairs.length > maxParts) throw new PayloadTooLargeError('the form has too many fields');
    start = end + 1;
  }
  return pairs;
}

/** Replaces `+` and `%XX`. An incomplete escape stays as it is. */
async function unescaped(escaped: Buffer, slice: TimeSlice): Promise<Buffer> {
  const bytes = Buffer.allocUnsafe(escaped.length);
  let length = 0;
  for (let at = 0, checkAt = pieceBytes; at < escaped.length; length++) {
    const byte = escaped[at] as number;
    const value = byte === percent ? escapedByte(escaped, at) : -1;
    bytes[length] = value >= 0 ? value : byte === plus ? space : byte;
    at += value >= 0 ? 3 : 1;
    if (at < checkAt) continue;
    checkAt = at + pieceBytes;
    if (slice.isOver) await slice.next();
  }
  return bytes.subarray(0, length);
}

/** The byte of the escape at an index; -1 if there is none. */
function escapedByte(bytes: Buffer, at: number): number {
  const high = hexDigit(bytes[at + 1]);
  const low = hexDigit(bytes[at + 2]);
  return high < 0 || low < 0 ? -1 : high * 16 + low;
}

function hexDigit(code = 0): number {
  if (code >= 0x30 && code <= 0x39) return code - 0x30;
  const lower = code | 0x20;
  return lower >= 0x61 && lower <= 0x66 ? lower - 0x57 : -1;
}
