import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { promisify } from 'node:util';
import { brotliDecompress, gunzip, inflate } from 'node:zlib';
import { AppError, PayloadTooLargeError, ValidationError } from '@sluice/domain';
import type { BodyLimits } from '../../http/read-json.ts';

const unpackers = new Map([
  ['gzip', promisify(gunzip)],
  ['deflate', promisify(inflate)],
  ['br', promisify(brotliDecompress)],
]);

/** A body while it comes. Who reads no further leaves the request open, so that it can be answered. */
export function streamOf(source: IncomingMessage): Readable {
  return Readable.from(source.iterator({ destroyOnReturn: false }));
}

/** A body as it came. Throws `PayloadTooLargeError` as soon as it is known to be, and then leaves the rest unread. */
export async function readBytes(source: IncomingMessage, { limitBytes }: Pick<BodyLimits, 'limitBytes'>): Promise<Buffer> {
  if (Number(source.headers['content-length'] ?? 0) > limitBytes) throw tooLargeError();
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of source.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    size += chunk.byteLength;
    if (size > limitBytes) throw tooLargeError();
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** What such a body holds. Throws `PayloadTooLargeError`, `ValidationError`, and `UNSUPPORTED_MEDIA_TYPE` for an encoding that is not known. */
export async function unpack(
  packed: Buffer,
  encoding: string,
  { limitBytes }: Pick<BodyLimits, 'limitBytes'>,
): Promise<Buffer> {
  const unpacker = unpackers.get(encoding.toLowerCase());
  if (!unpacker) throw new AppError({ code: 'UNSUPPORTED_MEDIA_TYPE', message: 'the encoding of the body is not supported' });
  try {
    return await unpacker(packed, { maxOutputLength: limitBytes });
  } catch (error) {
    if ((error as { code?: unknown }).code === 'ERR_BUFFER_TOO_LARGE') throw tooLargeError();
    throw new ValidationError('the body cannot be unpacked', '');
  }
}

function tooLargeError(): PayloadTooLargeError {
  return new PayloadTooLargeError('the body is too large');
}
