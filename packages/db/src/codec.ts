import { promisify } from 'node:util';
import { zstdCompress, zstdCompressSync, zstdDecompress, zstdDecompressSync } from 'node:zlib';
import { parseJson, stringifyJson } from '@sluice/domain';

/**
 * JSON as bytes for a `bytea` column: any JSON text survives, `\u0000` and lone surrogates included. First byte: 0, the rest is
 * UTF-8 text; 1, the rest is that text compressed with zstd.
 */
const plain = 0;
const zstd = 1;
/** Below this many bytes zstd gains little and costs about 20 µs. */
const compressFromBytes = 1_024;

/** Characters, and compressed bytes, that are encoded or decoded at once: below a millisecond, and a few for a text that expands. */
const smallText = 64 * 1024;
const smallData = 4 * 1024;

const compress = promisify(zstdCompress);
const decompress = promisify(zstdDecompress);

/** Like `encodeText`, with large texts compressed off the event loop: for data of any size. */
export async function packText(json: string): Promise<Buffer> {
  if (json.length <= smallText) return encodeText(json);
  return Buffer.concat([Buffer.of(zstd), await compress(Buffer.from(json, 'utf8'))]);
}

/** Like `encodeJson`, for data of any size. */
export async function packJson(value: unknown): Promise<Buffer> {
  return packText(await stringifyJson(value));
}

/** Like `decodeText`, with large data decompressed off the event loop. */
export async function unpackText(data: Buffer, maxBytes = 256 * 1024 * 1024): Promise<Buffer> {
  if (data[0] !== zstd || data.length <= smallData) return decodeText(data, maxBytes);
  return decompress(data.subarray(1), { maxOutputLength: maxBytes });
}

/** Like `decodeJson`, in time slices: for data of any size. */
export async function unpackJson<T>(data: Buffer): Promise<T> {
  return (await parseJson((await unpackText(data)).toString('utf8'))) as T;
}

export function encodeText(json: string): Buffer {
  const text = Buffer.from(json, 'utf8');
  if (text.length < compressFromBytes) return Buffer.concat([Buffer.of(plain), text]);
  return Buffer.concat([Buffer.of(zstd), zstdCompressSync(text)]);
}

export function encodeJson(value: unknown): Buffer {
  return encodeText(JSON.stringify(value));
}

/** The JSON text as UTF-8. @param maxBytes its limit, against a stored bomb; default 256 MiB. */
function decodeText(data: Buffer, maxBytes = 256 * 1024 * 1024): Buffer {
  const body = data.subarray(1);
  return data[0] === zstd ? zstdDecompressSync(body, { maxOutputLength: maxBytes }) : body;
}

export function decodeJson<T>(data: Buffer, maxBytes?: number): T {
  return JSON.parse(decodeText(data, maxBytes).toString('utf8')) as T;
}
