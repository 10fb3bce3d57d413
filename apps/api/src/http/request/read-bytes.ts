import type { IncomingMessage } from 'node:http';
import { promisify } from 'node:util';
import { brotliDecompress, gunzip, inflate } from 'node:zlib';
import { AppError, GatheredBytes, PayloadTooLargeError, ValidationError } from '@sluice/domain';

const decompressionByEncoding = new Map([
  ['gzip', promisify(gunzip)],
  ['deflate', promisify(inflate)],
  ['br', promisify(brotliDecompress)],
]);

/** Maximum number of chunks in a body: a sender of single bytes would keep the event loop busy. */
const maxChunks = 262_144;

/** Whether the request has a body. */
export function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

export function isEncoded(request: IncomingMessage): boolean {
  return encodingOf(request) !== 'identity';
}

function encodingOf({ headers }: IncomingMessage): string {
  return (headers['content-encoding'] ?? 'identity').toLowerCase();
}

/**
 * The chunks of a body. A reader that stops early or fails leaves the request open for the
 * response; the default iterator would destroy it.
 */
export async function* chunksOf(source: IncomingMessage): AsyncGenerator<Buffer, void, undefined> {
  for await (const chunk of source.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) yield chunk;
}

/**
 * Whether a body in chunks without a content type is empty: proxies send such a body for a request
 * without a body. Consumes the first chunk of any other body, so call it only if that body is then
 * refused.
 */
export async function isEmptyBody(source: IncomingMessage): Promise<boolean> {
  const { 'content-type': type, 'transfer-encoding': chunked } = source.headers;
  if (type !== undefined || chunked === undefined) return false;
  for await (const _ of chunksOf(source)) return false;
  return true;
}

/**
 * Reads the whole body. Throws `PayloadTooLargeError` as soon as it crosses the limit, and leaves
 * the rest unread.
 */
export async function readBytes(source: IncomingMessage, limitBytes: number): Promise<Buffer> {
  if (Number(source.headers['content-length'] ?? 0) > limitBytes) throw tooLargeError();
  const gathered = new GatheredBytes();
  if (hasArrived(source)) {
    for (let chunk: Buffer | null = source.read(); chunk; chunk = source.read()) gathered.add(chunk);
    return gathered.bytes();
  }
  let chunks = 0;
  for await (const chunk of chunksOf(source)) {
    gathered.add(chunk);
    chunks += 1;
    if (gathered.length > limitBytes) throw tooLargeError();
    if (chunks > maxChunks) throw new PayloadTooLargeError('the body has too many chunks');
  }
  return gathered.bytes();
}

/**
 * Whether the whole body is buffered, as most short ones are. Reading it then needs no iterator,
 * which takes longer than all other steps.
 */
function hasArrived({ complete, destroyed, readableLength, headers }: IncomingMessage): boolean {
  return complete && !destroyed && readableLength > 0 && readableLength === Number(headers['content-length']);
}

/** Largest expansion of deflate, as zlib documents it. Brotli has no limit. */
const maxExpansion = 1_032;

/** Maximum size of the decompressed body, in bytes. */
export function maxDecompressed(request: IncomingMessage, { length }: Buffer, limitBytes: number): number {
  if (!isEncoded(request)) return length;
  return encodingOf(request) === 'br' ? limitBytes : Math.min(limitBytes, length * maxExpansion);
}

/**
 * Decompresses a body. Throws `PayloadTooLargeError`, `ValidationError`, or
 * `UNSUPPORTED_MEDIA_TYPE` for an unknown encoding.
 */
export async function decompressed(request: IncomingMessage, bytes: Buffer, limitBytes: number): Promise<Buffer> {
  if (!isEncoded(request)) return bytes;
  const encoding = encodingOf(request);
  const decompress = decompressionByEncoding.get(encoding);
  if (!decompress) throw new AppError({ code: 'UNSUPPORTED_MEDIA_TYPE', message: 'the encoding of the body is not supported' });
  try {
    return await decompress(bytes, { maxOutputLength: limitBytes });
  } catch (error) {
    if ((error as { code?: unknown }).code === 'ERR_BUFFER_TOO_LARGE') throw tooLargeError();
    throw new ValidationError(`the body is not valid ${encoding}, as declared in Content-Encoding`, '');
  }
}

function tooLargeError(): PayloadTooLargeError {
  return new PayloadTooLargeError('the body is too large');
}
