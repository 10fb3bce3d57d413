import type { Response } from 'express';
import { UnreadResponses } from '../http/response/unread-responses.ts';
import { clientAddress } from './client-address.ts';

/** Maximum number of bytes of large responses that clients without a key have not read yet. */
const anonymous = new UnreadResponses(128 * 1024 * 1024);
/** Up to this length, in bytes, a connection's own buffers hold a response. */
const short = 64 * 1024;

/** Limits the memory of responses to clients without a key; call it before the bytes are sent. */
export function countUnread(response: Response, length: number): void {
  if (length > short) anonymous.addFirst(clientAddress(response.req), length, response);
}
