import { zstdCompressSync, zstdDecompressSync } from 'node:zlib';

/**
 * JSON as bytes for a `bytea` column: any JSON text survives, `\u0000` and lone surrogates included. First byte: 0, the rest is
 * UTF-8 text; 1, the rest is that text compressed with zstd.
 */
const plain = 0;
const zstd = 1;
/** Below this many bytes zstd gains little and costs about 20 µs. */
const compressFromBytes = 1_024;

export function encodeText(json: string): Buffer {
  const text = Buffer.from(json, 'utf8');
  if (text.length < compressFromBytes) return Buffer.concat([Buffer.of(plain), text]);
  return Buffer.concat([Buffer.of(zstd), zstdCompressSync(text)]);
}

export function encodeJson(value: unknown): Buffer {
  return encodeText(JSON.stringify(value));
}

/** The JSON text as UTF-8. @param maxBytes its limit, against a stored bomb; default 256 MiB. */
export function decodeText(data: Buffer, maxBytes = 256 * 1024 * 1024): Buffer {
  const body = data.subarray(1);
  return data[0] === zstd ? zstdDecompressSync(body, { maxOutputLength: maxBytes }) : body;
}

export function decodeJson<T>(data: Buffer, maxBytes?: number): T {
  return JSON.parse(decodeText(data, maxBytes).toString('utf8')) as T;
}
