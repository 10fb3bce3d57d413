import { pipeline, Readable, type Transform } from 'node:stream';
import {
  constants,
  createBrotliDecompress,
  createGunzip,
  createInflate,
  createInflateRaw,
  createZstdDecompress,
} from 'node:zlib';
import { gatherBytes } from '@sluice/domain';
import { failedError, tooLargeError } from './errors.ts';

/** Chooses the decoder by the body's first bytes. */
type MakeDecoder = (start: Uint8Array) => Transform;

const gunzip: MakeDecoder = () => createGunzip();

const decoders: ReadonlyMap<string, MakeDecoder> = new Map([
  ['gzip', gunzip],
  ['x-gzip', gunzip],
  // The zlib format (RFC 9110 §8.4.1.2); some servers omit its header.
  ['deflate', ([first = 0]: Uint8Array) => ((first & 0x0f) === 8 ? createInflate() : createInflateRaw())],
  ['br', () => createBrotliDecompress()],
  // The largest window of this encoding is 8 MiB (RFC 9659).
  ['zstd', () => createZstdDecompress({ params: { [constants.ZSTD_d_windowLogMax]: 23 } })],
]);

/** No encoding; some servers name the character set here. */
const plain: ReadonlySet<string> = new Set(['', 'identity', 'none', 'utf-8']);

/** Chained encodings multiply the expansion; regular servers use only one. */
const maxEncodings = 2;

/**
 * Decodes the content encoding of a body. Bytes are counted after decoding as they arrive, so that
 * a decompression bomb stops at the limit. Throws `HTTP_TOO_LARGE`, and `HTTP_FAILED` for an
 * unknown or invalid encoding. The caller destroys the body.
 */
export async function* decodedBody(
  body: Readable,
  contentEncoding: string,
  maxBytes: number,
): AsyncGenerator<Uint8Array, void, undefined> {
  const makers = decodersFor(contentEncoding);
  if (!makers) throw failedError(new Error('the content encoding is not supported'));
  let size = 0;
  for await (const chunk of makers.reduce<AsyncIterable<Uint8Array>>(decoded, body)) {
    size += chunk.byteLength;
    if (size > maxBytes) throw tooLargeError(maxBytes);
    yield chunk;
  }
}

export async function readWhole(body: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  return (await gatherBytes(body)).bytes();
}

/** An empty body is not decoded: many servers declare an encoding for it. */
async function* decoded(body: AsyncIterable<Uint8Array>, makeDecoder: MakeDecoder): AsyncGenerator<Uint8Array> {
  const chunks = body[Symbol.asyncIterator]();
  const first = await chunks.next();
  if (first.done) return;
  const whole = async function* () {
    yield first.value;
    yield* { [Symbol.asyncIterator]: () => chunks };
  };
  const decoder = makeDecoder(first.value);
  // A failure of any stream reaches the last stream and its reader.
  pipeline([Readable.from(whole()), decoder], () => {});
  yield* decoder as AsyncIterable<Uint8Array>;
}

/** Decoders in reverse order of encoding. `undefined` for an unsupported encoding. */
function decodersFor(contentEncoding: string): MakeDecoder[] | undefined {
  const names = contentEncoding
    .split(',')
    .map((name) => name.trim().toLowerCase())
    .filter((name) => !plain.has(name));
  const makers = names.reverse().flatMap((name) => decoders.get(name) ?? []);
  return names.length > maxEncodings || makers.length < names.length ? undefined : makers;
}
