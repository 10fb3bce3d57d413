import type { Buffer as BufferClass } from 'buffer/';
import { define } from './define.ts';
import { need } from './needs.ts';

type AnyFunction = (...values: unknown[]) => unknown;
type BufferLibrary = { Buffer: typeof BufferClass };

let library: BufferLibrary | undefined;

export function useBuffer(loaded: { default: BufferLibrary }): void {
  library = loaded.default;
  addBase64Url(library.Buffer);
}

/** Adds `base64url`, which the library does not support. Its `base64` reads both alphabets. */
function addBase64Url(Buffer: typeof BufferClass): void {
  const { byteLength, from, isEncoding } = Buffer as unknown as Record<'byteLength' | 'from' | 'isEncoding', AnyFunction>;
  const { toString: write } = Buffer.prototype as unknown as Record<'toString', AnyFunction>;
  const isBase64Url = (encoding: unknown) => String(encoding).toLowerCase() === 'base64url';
  const nativeEncoding = (encoding: unknown) => (isBase64Url(encoding) ? 'base64' : encoding);
  define(Buffer, {
    byteLength: (text: unknown, encoding: unknown) => byteLength(text, nativeEncoding(encoding)),
    from: (value: unknown, encoding: unknown, length: unknown) => from(value, nativeEncoding(encoding), length),
    isEncoding: (encoding: unknown) => isBase64Url(encoding) || isEncoding(encoding),
  });
  define(Buffer.prototype, {
    toString(this: unknown, encoding: unknown, start: unknown, end: unknown) {
      const text = write.call(this, nativeEncoding(encoding), start, end) as string;
      return isBase64Url(encoding) ? text.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '') : text;
    },
  });
}

/** The `Buffer` class. Requests the image that contains it if this image does not. */
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
