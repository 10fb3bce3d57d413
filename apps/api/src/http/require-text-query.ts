import { isUtf8 } from 'node:buffer';
import { ValidationError } from '@sluice/domain';
import { percentDecode } from './percent-decode.ts';

/** Throws `ValidationError` for a query that is not UTF-8 after unescaping: decoding would change it. */
export function requireTextQuery(url: string): void {
  const start = url.indexOf('?');
  // Node passes bytes that are not escaped as Latin-1 characters.
  if (start >= 0 && !isUtf8(percentDecode(Buffer.from(url.slice(start), 'latin1'))))
    throw new ValidationError('the query is not valid UTF-8', '');
}
