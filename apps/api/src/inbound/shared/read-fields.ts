import { type JsonObject, type JsonValue, PayloadTooLargeError, TimeSlice, userKeyed } from '@sluice/domain';
import { cutBetweenEscapes, percentDecode } from '../../http/request/percent-decode.ts';
import { decodeText, sliceBytes } from './decode-text.ts';
import { maxParts } from './read-form.ts';

const ampersand = 0x26;
const equalsSign = 0x3d;

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
    const ampersandAt = raw.indexOf(ampersand, start);
    const end = ampersandAt === -1 ? raw.length : ampersandAt;
    pairs.push(raw.subarray(start, end));
    if (pairs.length > maxParts) throw new PayloadTooLargeError('the form has too many fields');
    start = end + 1;
  }
  return pairs;
}

/** Decodes `+` and `%XX` in time slices. */
async function unescaped(escaped: Buffer, slice: TimeSlice): Promise<Buffer> {
  const parts: Buffer[] = [];
  for (let start = 0; start < escaped.length; ) {
    const end = cutBetweenEscapes(escaped, start + sliceBytes);
    parts.push(percentDecode(escaped.subarray(start, end), { isForm: true }));
    start = end;
    if (slice.isOver) await slice.next();
  }
  return parts.length === 1 ? (parts[0] as Buffer) : Buffer.concat(parts);
}
