import type { NextFunction, Request, RequestHandler, Response } from 'express';

/**
 * One middleware that calls synchronous ones in turn. In Express, each is a layer, which takes more
 * time than most of them.
 */
export function inTurn(...handlers: readonly RequestHandler[]): RequestHandler {
  return (request, response, next) => {
    let called = 0;
    const step: NextFunction = (error?: unknown) => {
      const handler = error === undefined ? handlers[called++] : undefined;
      if (handler) void handler(request, response, step);
      else next(error);
    };
    step();
  };
}

/**
 * Sets the headers that `handler` sets, which must not depend on the request. Helmet would compute
 * them for each response.
 */
export function constantHeaders(handler: RequestHandler): RequestHandler {
  const headers = new Map<string, string>();
  const recorder = { setHeader: headers.set.bind(headers), removeHeader: headers.delete.bind(headers) };
  const failed = (error?: unknown) => {
    if (error !== undefined) throw error;
  };
  void handler({} as Request, recorder as unknown as Response, failed);
  return (_request, response, next) => {
    response.setHeaders(headers);
    next();
  };
}
