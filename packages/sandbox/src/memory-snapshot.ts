const chunkBytes = 64 * 1024;
const zeroes = Buffer.alloc(chunkBytes);

/** A copy of the part of a memory that is not zero, in chunks. */
export class MemorySnapshot {
  readonly #chunks = new Map<number, Buffer>();
  readonly #end: number;

  constructor(memory: ArrayBuffer) {
    const bytes = Buffer.from(memory);
    for (let start = 0; start < bytes.length; start += chunkBytes) {
      const chunk = bytes.subarray(start, start + chunkBytes);
      if (!chunk.equals(zeroes)) this.#chunks.set(start, Buffer.from(chunk));
    }
    this.#end = usedEnd(bytes);
  }

  /** Puts the memory back; what lies behind the snapshot becomes zero. Untouched pages stay untouched. */
  restore(memory: ArrayBuffer): void {
    const bytes = Buffer.from(memory);
    const end = Math.max(this.#end, usedEnd(bytes));
    for (let start = 0; start < end; start += chunkBytes) {
      const chunk = this.#chunks.get(start);
      if (chunk) bytes.set(chunk, start);
      else bytes.fill(0, start, start + chunkBytes);
    }
  }
}

/** Where the zeroes at the end of the memory begin, in whole chunks. */
function usedEnd(bytes: Buffer): number {
  let end = bytes.length;
  while (end > 0 && bytes.subarray(end - chunkBytes, end).equals(zeroes)) end -= chunkBytes;
  return end;
}
