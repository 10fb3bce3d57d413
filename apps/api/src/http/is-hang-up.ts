import type { Request } from 'express';

const cutOff: ReadonlySet<unknown> = new Set(['ECONNRESET', 'ERR_STREAM_PREMATURE_CLOSE']);

/** The client went away before its request was whole: nobody's fault here, and the access log says so. */
export function isHangUp(error: unknown, { complete, destroyed }: Pick<Request, 'complete' | 'destroyed'>): boolean {
  return !complete && destroyed && cutOff.has((error as { code?: unknown } | undefined)?.code);
}
