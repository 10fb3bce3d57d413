import { AppError, PayloadTooLargeError } from '@sluice/domain';
import type { RequestHandler } from 'express';
import { type BodyLimits, hasBody, readJson } from './read-json.ts';

/** Reads a JSON body into `request.body`, which stays `undefined` when there is none; any other body is refused. */
export function jsonBody(limits: BodyLimits): RequestHandler[] {
  return [requireJson(limits.limitBytes), readJson(limits)];
}

/** Refuses by the headers alone what they show to be no JSON or too large: such a body is not waited for. */
function requireJson(limitBytes: number): RequestHandler {
  return (request, _response, next) => {
    if (hasBody(request) && !request.is('application/json')) {
      throw new AppError({ code: 'UNSUPPORTED_MEDIA_TYPE', message: 'the body must be application/json' });
    }
    if (Number(request.headers['content-length'] ?? 0) > limitBytes) throw new PayloadTooLargeError('the body is too large');
    next();
  };
}
