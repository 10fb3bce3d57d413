import type { Logger } from '@sluice/logger';
import type { RequestHandler } from 'express';
import { requestState } from './request-state.ts';

/** One line for each request when it has been answered, or when the client went away before. */
export function accessLog(logger: Logger): RequestHandler {
  return (request, response, next) => {
    const began = performance.now();
    const [path = ''] = request.originalUrl.split('?', 1);
    response.once('close', () => {
      const { requestId, caller } = requestState(request);
      const fields = {
        requestId,
        method: request.method,
        path: withoutToken(path),
        status: response.statusCode,
        durationMs: Math.round(performance.now() - began),
        userId: caller?.userId,
        keyId: caller?.keyId,
      };
      if (response.writableFinished) logger.info(fields, 'request answered');
      else logger.info({ ...fields, status: undefined }, 'client went away');
    });
    next();
  };
}

/** What follows the execution in an address for waiting executions is a secret until it has been used. */
function withoutToken(path: string): string {
  return path.replace(/^(\/(?:webhook|form)-waiting\/[^/]*\/)[^/]+/i, '$1***');
}
