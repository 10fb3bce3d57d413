import { randomUUID } from 'node:crypto';
import type { RequestHandler } from 'express';
import { setRequestState } from './request-state.ts';

/**
 * Takes over a caller's `X-Request-Id` if it is harmless, else makes one; every answer and log line
 * carries it.
 */
export const requestId: RequestHandler = (request, response, next) => {
  const given = request.get('x-request-id');
  const id = given !== undefined && /^[\w-]{1,64}$/.test(given) ? given : randomUUID();
  setRequestState(request, { requestId: id });
  response.setHeader('X-Request-Id', id);
  next();
};
