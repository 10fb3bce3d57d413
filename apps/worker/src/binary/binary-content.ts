import { addAbortSignal } from 'node:stream';
import type { BinaryStore } from '@sluice/binary-store';
import type { BinaryContent } from '@sluice/node-sdk';

/** Content as a stream of chunks, even if all of it is in memory. */
export async function* chunksOf(content: BinaryContent): AsyncGenerator<Uint8Array> {
  if (ArrayBuffer.isView(content)) yield content;
  else yield* content;
}

/** A stored file, opened at the first read: an unread file uses no resources. */
export async function* openedOnRead(store: BinaryStore, id: string, signal: AbortSignal): AsyncGenerator<Uint8Array> {
  yield* addAbortSignal(signal, await store.open(id));
}

/**
 * Passes the content on until the signal fires; then its reason is thrown, even while waiting for a
 * chunk.
 */
export async function* abortable(content: AsyncIterable<Uint8Array>, signal: AbortSignal): AsyncGenerator<Uint8Array> {
  const chunks = content[Symbol.asyncIterator]();
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  const abort = () => reject(signal.reason);
  aborted.catch(() => undefined);
  signal.addEventListener('abort', abort, { once: true });
  if (signal.aborted) abort();
  try {
    for (;;) {
      const { done, value } = await Promise.race([chunks.next(), aborted]);
      if (done) return;
      yield value;
    }
  } finally {
    signal.removeEventListener('abort', abort);
    // Not awaited: a generator that waits for its source returns only after the source does.
    void chunks.return?.()?.catch(() => undefined);
  }
}
