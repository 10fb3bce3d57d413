import type { Buffer as BufferClass } from 'buffer/';
import { need } from './needs.ts';

type BufferLibrary = { Buffer: typeof BufferClass };

let library: BufferLibrary | undefined;

export function useBuffer(loaded: BufferLibrary): void {
  library = loaded;
}

/** The `Buffer` class. Requests the image that has it if this one does not. */
export function bufferClass(): typeof BufferClass {
  return library?.Buffer ?? need({ image: 'full' });
}

type Encoding = Parameters<typeof BufferClass.from>[1];

/** Bytes of a hash input or key: text, or any view of bytes. */
export function toBuffer(data: unknown, encoding?: Encoding): BufferClass {
  const Buffer = bufferClass();
  if (typeof data === 'string') return Buffer.from(data, encoding);
  if (ArrayBuffer.isView(data)) return Buffer.from(data.buffer as ArrayBuffer, data.byteOffset, data.byteLength);
  if (data instanceof ArrayBuffer) return Buffer.from(data);
  throw new TypeError('expected text or bytes');
}
