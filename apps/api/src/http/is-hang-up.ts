import type { Request } from 'express';

const cutOff: ReadonlySet<unknown> = new Set(['ECONNRESET', 'ERR_STREAM_PREMATURE_CLOSE']);

/** The abort reason of every response: to create an error with a stack for each one is slow. */
export const responseClosed = new DOMException('the response is closed', 'AbortError');

/** Whether the client disconnected before its response was complete. The access log shows that; it is not an error. */
export function isHangUp(error: unknown, { complete, destroyed }: Pick<Request, 'complete' | 'destroyed'>): boolean {
  return error === responseClosed || (!complete && destroyed && cutOff.has((error as { code?: unknown } | undefined)?.code));
}
