import { isUtf8 } from 'node:buffer';
import { ValidationError } from '@sluice/domain';

/** Throws `ValidationError` for a query that is not UTF-8 after unescaping: decoding would change it. */
export function requireTextQuery(url: string): void {
  const start = url.indexOf('?');
  if (start >= 0 && !isUtf8(bytesOf(url.slice(start)))) throw new ValidationError('the query is not valid UTF-8', '');
}

/** Node passes unescaped bytes as Latin-1 characters. */
function bytesOf(query: string): Buffer {
  const unescaped = query.replaceAll(/%([0-9a-f]{2})/gi, (_, byte: string) => String.fromCharCode(Number.parseInt(byte, 16)));
  return Buffer.from(unescaped, 'latin1');
}
