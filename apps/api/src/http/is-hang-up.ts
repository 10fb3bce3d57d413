import type { Request } from 'express';

const cutOff: ReadonlySet<unknown> = new Set(['ECONNRESET', 'ERR_STREAM_PREMATURE_CLOSE']);

/** The client disconnected before its request was complete. Not an error of ours; the access log shows it. */
export function isHangUp(error: unknown, { complete, destroyed }: Pick<Request, 'complete' | 'destroyed'>): boolean {
  return !complete && destroyed && cutOff.has((error as { code?: unknown } | undefined)?.code);
}
