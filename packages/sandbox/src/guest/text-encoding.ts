import type { TextEncoding } from '../host/host-text.ts';
import { askHost } from './host.ts';

/** Converts text from one encoding to another. */
export function encodeText(text: string, from: TextEncoding, to: TextEncoding): string {
  const encoded = askHost<string>({ encode: { text, from, to } });
  if (encoded === null) throw new RangeError('the text is too long');
  return encoded;
}

/** The global `btoa`. */
export function btoa(value: unknown): string {
  const text = String(value);
  if (/[^\0-\xff]/.test(text)) throw new RangeError('btoa() takes characters up to U+00FF only');
  return encodeText(text, 'latin1', 'base64');
}

/** The global `atob`. */
export function atob(value: unknown): string {
  const text = String(value).replace(/[\t\n\f\r ]/g, '');
  if (!/^[A-Za-z\d+/]*={0,2}$/.test(text)) throw new RangeError('atob() takes base64 only');
  return encodeText(text, 'base64', 'latin1');
}
