import type { RequestHandler } from 'express';

/** Milliseconds for which a client that is still sending may go on after its answer, so that it gets to read it. */
const lingerMs = 2_000;

/**
 * What has been answered before its body had come, since it is too large or nobody wants it, is not read to its end: after a while the connection is
 * closed. Closed at once, it would take the answer along with it.
 */
export const leaveUnread: RequestHandler = (request, response, next) => {
  response.once('finish', () => {
    if (request.complete) return;
    const timer = setTimeout(() => request.destroy(), lingerMs);
    request.once('end', () => clearTimeout(timer)).once('close', () => clearTimeout(timer));
  });
  next();
};
