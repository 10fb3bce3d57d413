import { dataSize } from './concurrency/memory-budget.ts';
import { currentMemory } from './concurrency/memory-reservation.ts';

/** Minimum size in bytes of a chunk that is kept as it is. */
const largeBytes = 4 * 1024;
/** Number of small chunks that are joined at once. */
const joinedChunks = 256;

/**
 * Collects the chunks of a stream. Small ones are joined as they arrive: otherwise a sender of one
 * byte at a time would use up to 200 times the memory of its data, since each chunk is an object.
 */
export class GatheredBytes {
  readonly #chunks: Uint8Array[] = [];
  #small: Uint8Array[] = [];
  #length = 0;

  get length(): number {
    return this.#length;
  }

  add(chunk: Uint8Array): void {
    this.#length += chunk.byteLength;
    const isLarge = chunk.byteLength >= largeBytes;
    if (!isLarge && chunk.byteLength > 0) this.#small.push(chunk);
    if (isLarge || this.#small.length >= joinedChunks) this.#join();
    if (isLarge) this.#chunks.push(chunk);
  }

  /** All bytes so far, in order. */
  bytes(): Buffer<ArrayBuffer> {
    this.#join();
    return Buffer.concat(this.#chunks);
  }

  #join(): void {
    if (this.#small.length === 0) return;
    this.#chunks.push(this.#small.length === 1 ? (this.#small[0] as Uint8Array) : Buffer.concat(this.#small));
    this.#small = [];
  }
}

/**
 * Yields each chunk of a stream once the caller's execution, poll, or listener has memory for it;
 * until then, the sender waits too. Chunks count until the node run ends, or until a listener
 * passes them on.
 */
export async function* arriving(source: AsyncIterable<Uint8Array>, memory = currentMemory()): AsyncGenerator<Uint8Array> {
  let counted = 0;
  try {
    for await (const chunk of source) {
      const size = dataSize(chunk.byteLength);
      const memoryFree = memory?.receive(size);
      if (memoryFree) await memoryFree;
      counted += size;
      yield chunk;
    }
  } finally {
    memory?.passOn(counted);
  }
}

/** Reads a stream to its end, or to more than `maxBytes`. Waits for memory: see `arriving`. */
export async function gatherBytes(
  source: AsyncIterable<Uint8Array>,
  maxBytes = Number.POSITIVE_INFINITY,
): Promise<GatheredBytes> {
  const gathered = new GatheredBytes();
  for await (const chunk of arriving(source)) {
    gathered.add(chunk);
    if (gathered.length > maxBytes) break;
  }
  return gathered;
}
