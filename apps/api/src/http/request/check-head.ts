import { AppError, NotFoundError, ValidationError } from '@sluice/domain';
import type { RequestHandler } from 'express';

/**
 * Refuses requests that HTTP/1.1 requires a server to refuse: without `Host`, with several, or with
 * an unknown `Expect`.
 */
export const requireValidHead: RequestHandler = (request, response, next) => {
  const { host, expect } = request.headers;
  // A proxy in front of this service may have routed by the other one.
  if (request.rawHeaders.filter(isHostName).length > 1)
    throw new ValidationError('the request has several Host headers', 'Host');
  if (request.httpVersion === '1.0') return next();
  if (host === undefined) throw new ValidationError('the request has no Host header', 'Host');
  if (expect !== undefined && expect.toLowerCase() !== '100-continue') {
    response.setHeader('Connection', 'close');
    throw new AppError({ code: 'EXPECTATION_FAILED', message: 'the only supported expectation is 100-continue' });
  }
  next();
};

/** Raw headers alternate between names and values. */
function isHostName(text: string, at: number): boolean {
  return at % 2 === 0 && text.length === 4 && text.toLowerCase() === 'host';
}

/** Returns 404 for a path with a null character, which Postgres cannot store in text. */
export const refuseNull: RequestHandler = (request, _response, next) => {
  if (request.originalUrl.split('?', 1)[0]?.includes('%00')) throw new NotFoundError('there is nothing at this path');
  next();
};
