import { pipeline, type Readable, type Transform } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import { gatherBytes } from '@sluice/domain';
import { failedError, tooLargeError } from './errors.ts';

const decoders: ReadonlyMap<string, () => Transform> = new Map<string, () => Transform>([
  ['gzip', createGunzip],
  ['x-gzip', createGunzip],
  ['deflate', createInflate],
  ['br', createBrotliDecompress],
]);

/** Chained encodings multiply the expansion; regular servers use one. */
const maxEncodings = 2;

/**
 * Decodes the content encoding of a body. Bytes are counted after decoding as they arrive, so that
 * a decompression bomb stops at the limit. Throws `HTTP_TOO_LARGE`, and `HTTP_FAILED` for an
 * unknown or invalid encoding. At the end the stream is always destroyed, along with its socket
 * unless the body was read completely.
 */
export async function* decodedBody(
  body: Readable,
  contentEncoding: string,
  maxBytes: number,
): AsyncGenerator<Uint8Array, void, undefined> {
  let size = 0;
  for await (const chunk of decoding(body, contentEncoding) as AsyncIterable<Uint8Array>) {
    size += chunk.byteLength;
    if (size > maxBytes) throw tooLargeError(maxBytes);
    yield chunk;
  }
}

export async function readWhole(body: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  return (await gatherBytes(body)).bytes();
}

function decoding(body: Readable, contentEncoding: string): Readable {
  const transforms = decodersFor(contentEncoding);
  if (!transforms) throw failedError(new Error('the content encoding of the response is not known'));
  const last = transforms.at(-1);
  // A failure of any stream reaches the last one and its reader.
  if (last) pipeline([body, ...transforms], () => {});
  return last ?? body;
}

/** Decoders in reverse order of encoding. `undefined` for an unsupported encoding. */
function decodersFor(contentEncoding: string): Transform[] | undefined {
  const names = contentEncoding
    .split(',')
    .map((name) => name.trim().toLowerCase())
    .filter((name) => name !== '' && name !== 'identity');
  const makers = names.reverse().flatMap((name) => decoders.get(name) ?? []);
  return names.length > maxEncodings || makers.length < names.length ? undefined : makers.map((make) => make());
}
