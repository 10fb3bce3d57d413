const chunkBytes = 64 * 1024;
const zeroes = Buffer.alloc(chunkBytes);

/**
 * Number of chunks of the stack, from its top down, that a call may write. The engine stops a
 * recursion at 192 KiB (`guest-instance.ts`).
 */
const stackChunks = 8;

/** A copy of the nonzero part of a WebAssembly memory, in chunks of its pages. */
export class MemorySnapshot {
  readonly #chunks = new Map<number, Buffer>();
  /** Start and end of the unused part of the stack. */
  readonly #unused: readonly [start: number, end: number];

  constructor(memory: ArrayBuffer) {
    for (const [start, chunk] of chunksOf(memory)) if (!chunk.equals(zeroes)) this.#chunks.set(start, Buffer.from(chunk));
    this.#unused = unusedStack([...this.#chunks.keys()]);
  }

  /**
   * Restores the memory wherever a call may have written it; memory beyond the snapshot becomes
   * zero. Chunks that are already zero, as most are, are only read.
   */
  restore(memory: ArrayBuffer): void {
    const [start, end] = this.#unused;
    this.#restore(memory, 0, start);
    this.#restore(memory, end, memory.byteLength);
  }

  /**
   * Clears memory that only a defect in the engine can have written, so that even a call that
   * exploits a defect leaves nothing behind. Reading this part takes most of the time of a full
   * restore.
   */
  clearUnused(memory: ArrayBuffer): void {
    this.#restore(memory, ...this.#unused);
  }

  #restore(memory: ArrayBuffer, from: number, to: number): void {
    for (const [start, chunk] of chunksOf(memory, from, to)) {
      const before = this.#chunks.get(start);
      if (before) chunk.set(before);
      else if (!chunk.equals(zeroes)) chunk.fill(0);
    }
  }
}

/** The longest run of zero chunks between others: the stack grows down from its end. */
function unusedStack(starts: readonly number[]): [start: number, end: number] {
  let [from, to] = [0, 0];
  for (const [i, end] of starts.entries()) {
    const start = i === 0 ? 0 : (starts[i - 1] as number) + chunkBytes;
    if (end - start > to - from) [from, to] = [start, end];
  }
  return [from, Math.max(from, to - stackChunks * chunkBytes)];
}

function* chunksOf(memory: ArrayBuffer, from = 0, to = memory.byteLength): Generator<[start: number, chunk: Buffer]> {
  for (let start = from; start < to; start += chunkBytes) yield [start, Buffer.from(memory, start, chunkBytes)];
}
