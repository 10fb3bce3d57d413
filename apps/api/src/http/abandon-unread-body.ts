import type { RequestHandler } from 'express';

/** Milliseconds for which a client may keep sending after its response, so that it can read it. */
const lingerMs = 2_000;

/**
 * Closes the connection of a request that got its response before its body arrived: it was too large or
 * refused. The delay lets the client read the response, which an immediate close would discard.
 */
export const abandonUnreadBody: RequestHandler = (request, response, next) => {
  response.once('finish', () => {
    if (request.complete) return;
    const timer = setTimeout(() => request.destroy(), lingerMs);
    request.once('end', () => clearTimeout(timer)).once('close', () => clearTimeout(timer));
  });
  next();
};
