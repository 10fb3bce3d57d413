import type { RequestHandler } from 'express';

/** Milliseconds that a client may keep sending after its response, so that it can read the response. */
const lingerMs = 2_000;

/**
 * Closes the connection of a request that was answered before its body arrived, because it is too large
 * or refused. Not at once: that would discard the response.
 */
export const abandonUnreadBody: RequestHandler = (request, response, next) => {
  response.once('finish', () => {
    if (request.complete) return;
    const timer = setTimeout(() => request.destroy(), lingerMs);
    request.once('end', () => clearTimeout(timer)).once('close', () => clearTimeout(timer));
  });
  next();
};
