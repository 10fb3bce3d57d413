import type { BinaryContent } from '@sluice/node-sdk';

/** Content as a stream of pieces, also where it is at hand in one. */
export async function* chunksOf(content: BinaryContent): AsyncGenerator<Uint8Array> {
  if (ArrayBuffer.isView(content)) yield content;
  else yield* content;
}
