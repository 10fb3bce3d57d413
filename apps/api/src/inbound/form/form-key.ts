import { randomBytes } from 'node:crypto';
import type { Request } from 'express';
import { requestKey } from '../shared/request-key.ts';
import { isJsonRequest } from './form-request.ts';

/* By its key a form that is sent counts once. The key of a page is random, so that it can stand in the address of what comes after the form. */

export function newKey(): string {
  return randomBytes(24).toString('base64url');
}

/** Whether a text can be the key of a page: whoever knows one has been given it. */
export function isKey(text: string): boolean {
  return /^[\w-]{22,64}$/.test(text);
}

/**
 * The page's own, whoever sends it. Of a program that has none: its `Idempotency-Key`, marked as that of a webhook is, so that it opens no address. Throws
 * `ValidationError` for one that is not printable.
 */
export function keyOf(request: Request, ofPage: string | undefined): string {
  if (ofPage !== undefined && isKey(ofPage)) return ofPage;
  const { headers, method, path } = request;
  return (isJsonRequest(request) ? requestKey({ headers, method, segments: path.split('/') }) : undefined) ?? newKey();
}
