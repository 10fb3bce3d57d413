import { randomUUID } from 'node:crypto';
import type { RequestHandler } from 'express';
import { setRequestState } from './request-state.ts';

/**
 * Uses the caller's `X-Request-Id` if it is well-formed, or else generates one. Every response and log
 * line carries it.
 */
export const requestId: RequestHandler = (request, response, next) => {
  const header = request.get('x-request-id');
  const id = header !== undefined && /^[\w-]{1,64}$/.test(header) ? header : randomUUID();
  setRequestState(request, { requestId: id });
  response.setHeader('X-Request-Id', id);
  next();
};
