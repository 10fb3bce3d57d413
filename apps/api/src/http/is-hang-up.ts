import type { Request } from 'express';

const cutOff: ReadonlySet<unknown> = new Set(['ECONNRESET', 'ERR_STREAM_PREMATURE_CLOSE']);

/** Whether the client disconnected before its request was complete. The access log shows that; it is not an error. */
export function isHangUp(error: unknown, { complete, destroyed }: Pick<Request, 'complete' | 'destroyed'>): boolean {
  return !complete && destroyed && cutOff.has((error as { code?: unknown } | undefined)?.code);
}
