import type { Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import { failedError, tooLargeError } from './errors.ts';

const decoders: ReadonlyMap<string, () => Transform> = new Map<string, () => Transform>([
  ['gzip', createGunzip],
  ['x-gzip', createGunzip],
  ['deflate', createInflate],
  ['br', createBrotliDecompress],
]);

/** A chain of encodings multiplies: honest servers use one. */
const maxEncodings = 2;

/**
 * Reads a body and undoes its content encoding. Bytes are counted after decoding, while they arrive, so that a decompression
 * bomb ends at the cap. Throws `HTTP_TOO_LARGE`, and `HTTP_FAILED` for an encoding that is unknown or broken; the stream is
 * destroyed then, and its socket with it.
 */
export async function readBody(
  body: Readable,
  contentEncoding: string,
  maxBytes: number,
  signal: AbortSignal,
): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  const collect = async (source: AsyncIterable<Uint8Array>): Promise<void> => {
    for await (const chunk of source) {
      size += chunk.byteLength;
      if (size > maxBytes) throw tooLargeError(maxBytes);
      chunks.push(chunk);
    }
  };
  const decoding = decodersFor(contentEncoding);
  await pipeline(decoding ? [body, ...decoding, collect] : [body, refuse], { signal });
  return Buffer.concat(chunks, size);
}

/** In the pipeline rather than before it, so that the body is destroyed as after any other failure. */
async function refuse(): Promise<never> {
  throw failedError(new Error('the content encoding of the response is not known'));
}

/** Last applied, first undone. `undefined`: an encoding that we do not speak. */
function decodersFor(contentEncoding: string): Transform[] | undefined {
  const names = contentEncoding
    .split(',')
    .map((name) => name.trim().toLowerCase())
    .filter((name) => name !== '' && name !== 'identity');
  const makers = names.reverse().flatMap((name) => decoders.get(name) ?? []);
  return names.length > maxEncodings || makers.length < names.length ? undefined : makers.map((make) => make());
}
