import type { BinaryContent } from '@sluice/node-sdk';

/** Content as a stream of pieces, even if all of it is in memory. */
export async function* chunksOf(content: BinaryContent): AsyncGenerator<Uint8Array> {
  if (ArrayBuffer.isView(content)) yield content;
  else yield* content;
}
