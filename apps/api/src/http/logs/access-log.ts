import { traceFields } from '@sluice/domain';
import type { Logger } from '@sluice/logger';
import type { RequestHandler } from 'express';
import { percentDecode } from '../request/percent-decode.ts';
import { requestState } from '../request/request-state.ts';

/** Records the requests in flight. */
export interface InFlightRequests {
  /** Returns the entry to pass to `leave`. */
  enter(requestId: string, method: string, path: string): number;
  leave(entry: number): void;
}

/** Logs one line per request, when its response is complete or the client disconnects. */
export function accessLog(logger: Logger, inFlight?: InFlightRequests): RequestHandler {
  return (request, response, next) => {
    const began = performance.now();
    const trace = traceFields(); // the event below is outside of the span
    const path = withoutToken(request.originalUrl.split('?', 1)[0] ?? '');
    const entry = inFlight?.enter(requestState(request).requestId, request.method, path);
    response.once('close', () => {
      if (entry !== undefined) inFlight?.leave(entry);
      const { requestId, caller } = requestState(request);
      const fields = {
        ...trace,
        requestId,
        method: request.method,
        path,
        status: response.statusCode,
        durationMs: Math.round(performance.now() - began),
        userId: caller?.userId,
        keyId: caller?.keyId,
      };
      if (response.writableFinished) logger.info(fields, 'request completed');
      else logger.info({ ...fields, status: undefined }, 'client disconnected');
    });
    next();
  };
}

const secret = /((?<![\w-])(?:webhook|form)-waiting(?![\w-])[^a-z\d]*\d*).+/is;

/**
 * Hides everything after the execution id of a resume URL, which is a secret until it is used.
 * Covers escaped spellings and URLs that do not exist.
 */
function withoutToken(path: string): string {
  const plain = path.includes('%') ? percentDecode(percentDecode(Buffer.from(path, 'latin1'))).toString('latin1') : path;
  return secret.test(plain) ? plain.replace(secret, '$1/***') : path;
}
