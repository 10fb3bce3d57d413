import type { BinaryContent } from '@sluice/node-sdk';

/** Content as a stream of pieces, also if it is in memory as a whole. */
export async function* chunksOf(content: BinaryContent): AsyncGenerator<Uint8Array> {
  if (ArrayBuffer.isView(content)) yield content;
  else yield* content;
}
