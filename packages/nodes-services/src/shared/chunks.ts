import { GatheredBytes } from '@sluice/node-sdk';

/**
 * A multiple of 256 KiB, which Google requires, and of 4 MiB. A worker holds one chunk of each
 * upload in memory.
 */
const chunkBytes = 8 * 1024 * 1024;

/** A part of uploaded content. */
export interface Chunk {
  bytes: Buffer;
  /** Position of the first byte in the content. */
  start: number;
  isLast: boolean;
}

/** Divides a stream; each chunk except the last one is full. */
export async function* chunksOf(stream: AsyncIterable<Uint8Array>): AsyncGenerator<Chunk> {
  let [gathered, start] = [new GatheredBytes(), 0];
  for await (const piece of stream) {
    let rest = piece;
    while (gathered.length + rest.length > chunkBytes) {
      const takenBytes = chunkBytes - gathered.length;
      gathered.add(rest.subarray(0, takenBytes));
      yield { bytes: gathered.bytes(), start, isLast: false };
      [gathered, start] = [new GatheredBytes(), start + chunkBytes];
      rest = rest.subarray(takenBytes);
    }
    gathered.add(rest);
  }
  yield { bytes: gathered.bytes(), start, isLast: true };
}
