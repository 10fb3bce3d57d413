const chunkBytes = 64 * 1024;
const zeroes = Buffer.alloc(chunkBytes);

/** A copy of the nonzero part of a WebAssembly memory, in chunks of its pages. */
export class MemorySnapshot {
  readonly #chunks = new Map<number, Buffer>();

  constructor(memory: ArrayBuffer) {
    for (const [start, chunk] of chunksOf(memory)) if (!chunk.equals(zeroes)) this.#chunks.set(start, Buffer.from(chunk));
  }

  /**
   * Restores the memory wherever it was written; memory after the snapshot becomes zero. Chunks
   * that are already zero, as most are, are only read: the system maps untouched pages to one zero
   * page, which stays in the processor's cache.
   */
  restore(memory: ArrayBuffer): void {
    for (const [start, chunk] of chunksOf(memory)) {
      const before = this.#chunks.get(start);
      if (before) chunk.set(before);
      else if (!chunk.equals(zeroes)) chunk.fill(0);
    }
  }
}

function* chunksOf(memory: ArrayBuffer): Generator<[start: number, chunk: Buffer]> {
  for (let start = 0; start < memory.byteLength; start += chunkBytes) yield [start, Buffer.from(memory, start, chunkBytes)];
}
