import type { RequestHandler } from 'express';

/** Milliseconds for which a client that is still sending may go on after its answer, so that it gets to read it. */
const lingerMs = 2_000;

/**
 * If the response comes before the whole body, because it is too large or not needed, the rest is not read: after a while the connection is
 * closed. Closing it at once could discard the response.
 */
export const leaveUnread: RequestHandler = (request, response, next) => {
  response.once('finish', () => {
    if (request.complete) return;
    const timer = setTimeout(() => request.destroy(), lingerMs);
    request.once('end', () => clearTimeout(timer)).once('close', () => clearTimeout(timer));
  });
  next();
};
