import { bufferClass, toBuffer } from './buffer.ts';

/** The global `TextEncoder`. */
export class TextEncoder {
  readonly encoding = 'utf-8';

  encode(text: unknown = ''): Uint8Array {
    return new Uint8Array(bufferClass().from(String(text), 'utf8'));
  }
}

/** The global `TextDecoder`, for UTF-8 only. */
export class TextDecoder {
  readonly encoding = 'utf-8';

  constructor(label: unknown = 'utf-8') {
    if (!/^utf-?8$/i.test(String(label))) throw new RangeError('TextDecoder supports only UTF-8');
  }

  decode(data?: unknown): string {
    const text = data === undefined ? '' : toBuffer(data).toString('utf8');
    return text.startsWith('\uFEFF') ? text.substring(1) : text;
  }
}
