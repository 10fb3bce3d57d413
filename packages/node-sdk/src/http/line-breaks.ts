import type { TimeSlice } from '@sluice/domain';

/** Number of characters converted at once, which takes a few milliseconds. */
const chunkLength = 64 * 1024;

/** UTF-8 text with `\r\n` for each line break, in chunks, converted in time slices. */
export async function withFormLineBreaks(text: string, slice: TimeSlice): Promise<Uint8Array[]> {
  const chunks: Uint8Array[] = [];
  for (let start = 0; start < text.length; ) {
    const end = start + chunkLength + (isDivided(text, start + chunkLength) ? 1 : 0);
    chunks.push(Buffer.from(text.slice(start, end).replaceAll(/\r\n?|\n/g, '\r\n')));
    start = end;
    if (slice.isOver) await slice.next();
  }
  return chunks;
}

/** Whether an index is within a line break or a surrogate pair. */
function isDivided(text: string, at: number): boolean {
  return /^(?:\r\n|[\ud800-\udbff][\udc00-\udfff])$/.test(text.slice(at - 1, at + 1));
}
