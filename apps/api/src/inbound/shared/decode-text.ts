import { TimeSlice } from '@sluice/domain';

/** Bytes decoded at once: a few milliseconds in the slowest charset. */
export const sliceBytes = 64 * 1024;

/**
 * Decodes the whole input of a new decoder in time slices. Throws as the decoder does.
 */
export async function decodeText(bytes: Uint8Array, decoder: TextDecoder, slice = new TimeSlice()): Promise<string> {
  const texts: string[] = [];
  let start = 0;
  for (; start + sliceBytes < bytes.length; start += sliceBytes) {
    texts.push(decoder.decode(bytes.subarray(start, start + sliceBytes), { stream: true }));
    if (slice.isOver) await slice.next();
  }
  texts.push(decoder.decode(bytes.subarray(start)));
  return texts.join('');
}
