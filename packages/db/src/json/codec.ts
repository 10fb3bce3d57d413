import { promisify } from 'node:util';
import { zstdCompress, zstdCompressSync, zstdDecompress, zstdDecompressSync } from 'node:zlib';
import { stringifyJson } from '@sluice/domain';
import { parseStored } from './long-json.ts';

/**
 * JSON as bytes for a `bytea` column: any JSON text is preserved, including `\u0000` and lone
 * surrogates. First byte 0: the rest is UTF-8 text. First byte 1: the rest is that text, compressed
 * with zstd.
 */
const plain = 0;
const zstd = 1;
/** Below this many bytes zstd gains little and costs about 20 µs. */
const compressFromBytes = 1_024;

/**
 * Limit, in characters or compressed bytes, for work on the event loop: under a millisecond, or a
 * few for data that expands when unpacked.
 */
const smallText = 64 * 1024;
const smallData = 4 * 1024;

const compress = promisify(zstdCompress);
const decompress = promisify(zstdDecompress);

/** Like `encodeText`, for data of any size: large strings are compressed off the event loop. */
export async function packText(json: string): Promise<Buffer> {
  if (json.length <= smallText) return encodeText(json);
  const text = Buffer.from(json, 'utf8');
  return Buffer.concat([Buffer.of(zstd), await compress(text, { pledgedSrcSize: text.length })]);
}

/** Like `encodeJson`, for data of any size. */
export async function packJson(value: unknown): Promise<Buffer> {
  return packText(await stringifyJson(value));
}

/**
 * The JSON text as UTF-8. Large data is decompressed off the event loop. @param maxBytes limit that
 * protects against a stored decompression bomb; default 256 MiB.
 */
export async function unpackText(data: Buffer, maxBytes = 256 * 1024 * 1024): Promise<Buffer> {
  const body = data.subarray(1);
  if (data[0] !== zstd) return body;
  const options = { maxOutputLength: maxBytes };
  return data.length <= smallData ? zstdDecompressSync(body, options) : decompress(body, options);
}

/** Parses large data in time slices. */
export async function unpackJson<T>(data: Buffer): Promise<T> {
  return (await parseStored((await unpackText(data)).toString('utf8'))) as T;
}

/** Number of leading bytes that `unpackedLength` needs. */
export const packedHeadLength = 15;

/**
 * Length in bytes of the JSON text in stored data that has `length` bytes and starts with `head`.
 * The zstd frame header (RFC 8878, 3.1.1.1) contains it, because each frame is compressed in one
 * call.
 */
export function unpackedLength(head: Buffer, length: number): number {
  if (head[0] !== zstd) return length - 1;
  const [magicEnd, descriptor] = [5, head[5] ?? 0];
  const isSingleSegment = (descriptor & 0x20) !== 0;
  const dictionaryIdBytes = [0, 1, 2, 4][descriptor & 3] ?? 0;
  const at = magicEnd + 1 + (isSingleSegment ? 0 : 1) + dictionaryIdBytes;
  switch (descriptor >> 6) {
    case 0:
      return head.readUInt8(at);
    case 1:
      return head.readUInt16LE(at) + 256;
    case 2:
      return head.readUInt32LE(at);
    default:
      return Number(head.readBigUInt64LE(at));
  }
}

function encodeText(json: string): Buffer {
  const text = Buffer.from(json, 'utf8');
  if (text.length < compressFromBytes) return Buffer.concat([Buffer.of(plain), text]);
  return Buffer.concat([Buffer.of(zstd), zstdCompressSync(text)]);
}

/** For small data; larger data is packed. */
export function encodeJson(value: unknown): Buffer {
  return encodeText(JSON.stringify(value));
}
