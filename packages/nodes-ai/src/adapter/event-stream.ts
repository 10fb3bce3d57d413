import { crc32 } from 'node:zlib';
import { ModelError, TimeSlice } from '@sluice/node-sdk';
import { endedEarly } from './status-error.ts';

/** A message of an AWS event stream. */
export interface StreamMessage {
  /** Headers with string values: `:message-type`, `:event-type`, and the like. */
  headers: ReadonlyMap<string, string>;
  payload: Uint8Array;
}

/**
 * Maximum number of bytes in one message. AWS allows more, but an event with part of an answer is
 * short.
 */
export const maxMessageBytes = 1024 * 1024;
/** Total length, header length, and the checksum of both. */
const preludeBytes = 12;
const checksumBytes = 4;
/** Header value type → length in bytes. Types 6 and 7, bytes and text, contain their length. */
const valueBytes: readonly number[] = [0, 0, 1, 2, 4, 8, -1, -1, 8, 16];
const textType = 7;

/**
 * Splits a response into its messages and verifies their checksums. Chunks may split a message at
 * any byte.
 * https://docs.aws.amazon.com/transcribe/latest/dg/streaming-setting-up.html#streaming-event-stream
 */
export async function* streamMessages(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<StreamMessage> {
  const slice = new TimeSlice();
  const unread = new Unread();
  for await (const piece of pieces) {
    unread.add(piece);
    for (let bytes = unread.message(); bytes; bytes = unread.message()) {
      yield messageOf(bytes);
      if (slice.isOver) await slice.next();
    }
  }
  if (unread.length > 0) throw endedEarly();
}

/** Bytes received so far. They are joined once per message, however short the chunks are. */
class Unread {
  #pieces: Uint8Array[] = [];
  length = 0;
  /**
   * Length of the next message in bytes; until its prelude has arrived, the length of the prelude.
   */
  #wanted = preludeBytes;

  add(piece: Uint8Array): void {
    this.#pieces.push(piece);
    this.length += piece.length;
  }

  message(): Buffer | undefined {
    if (this.length < this.#wanted) return undefined;
    const all = this.#joined();
    const total = lengthIn(all);
    this.#wanted = all.length < total ? total : preludeBytes;
    if (all.length < total) return undefined;
    this.#pieces = [all.subarray(total)];
    this.length = all.length - total;
    return all.subarray(0, total);
  }

  #joined(): Buffer {
    const [first = new Uint8Array()] = this.#pieces;
    const isOne = this.#pieces.length === 1;
    const all = isOne ? Buffer.from(first.buffer, first.byteOffset, first.byteLength) : Buffer.concat(this.#pieces);
    this.#pieces = [all];
    return all;
  }
}

function lengthIn(bytes: Buffer): number {
  if (crc32(bytes.subarray(0, 8)) !== bytes.readUInt32BE(8)) throw unreadable('a checksum is wrong');
  const total = bytes.readUInt32BE(0);
  if (total > maxMessageBytes) throw unreadable(`a message has more than ${maxMessageBytes} bytes`);
  if (total < preludeBytes + bytes.readUInt32BE(4) + checksumBytes) throw unreadable('a message is shorter than its headers');
  return total;
}

function messageOf(bytes: Buffer): StreamMessage {
  const end = bytes.length - checksumBytes;
  if (crc32(bytes.subarray(0, end)) !== bytes.readUInt32BE(end)) throw unreadable('a checksum is wrong');
  const payloadAt = preludeBytes + bytes.readUInt32BE(4);
  return { headers: headersOf(bytes.subarray(preludeBytes, payloadAt)), payload: bytes.subarray(payloadAt, end) };
}

function headersOf(bytes: Buffer): Map<string, string> {
  const headers = new Map<string, string>();
  let at = 0;
  const take = (length: number): Buffer => {
    if (at + length > bytes.length) throw unreadable('a header is cut off');
    at += length;
    return bytes.subarray(at - length, at);
  };
  while (at < bytes.length) {
    const name = take(take(1).readUInt8()).toString('utf8');
    const type = take(1).readUInt8();
    const byteCount = valueBytes[type];
    if (byteCount === undefined) throw unreadable('a header has an unknown type');
    const value = take(byteCount < 0 ? take(2).readUInt16BE() : byteCount);
    if (type === textType) headers.set(name, value.toString('utf8'));
  }
  return headers;
}

const unreadable = (reason: string) => new ModelError('invalidResponse', `the provider sent an unreadable stream: ${reason}`);
