import { isTraceparent, tracing } from '@sluice/domain';
import type { RequestHandler } from 'express';
import { routeLabel } from '../metrics/route-label.ts';

/** Creates a span for each request, as a child of the caller's span. Mount before the access log. */
export const traceRequests: RequestHandler = (request, response, next) => {
  const { tracer } = tracing;
  if (!tracer) return next();
  const { method } = request;
  const given = request.get('traceparent');
  const parent = isTraceparent(given) ? given : undefined;
  const attributes = { 'http.request.method': method };
  void tracer.span({ name: method, kind: 'server', parent, attributes }, (span) => {
    const closed = new Promise<void>((resolve) => {
      response.once('close', () => {
        const route = routeLabel(request);
        span.rename(`${method} ${route}`);
        span.set('http.route', route);
        if (response.writableFinished) span.set('http.response.status_code', response.statusCode);
        if (response.writableFinished && response.statusCode >= 500) span.fail(String(response.statusCode));
        resolve();
      });
    });
    next();
    return closed;
  });
};
