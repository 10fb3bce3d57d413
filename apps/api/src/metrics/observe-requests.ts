import { isTraceparent, type OnDemand, tracing } from '@sluice/domain';
import type { Request, RequestHandler } from 'express';
import type { ApiMetrics } from './api-metrics.ts';

/**
 * Collects metrics from the first scrape on: their library uses 15 MB, which installations without
 * Prometheus save.
 */
export type MetricsOnDemand = OnDemand<ApiMetrics>;

/** Counts each request. Mount before all handlers that may respond. */
export function observeRequests(metrics: MetricsOnDemand): RequestHandler {
  return (request, response, next) => {
    const { current: apiMetrics } = metrics;
    const began = performance.now();
    if (apiMetrics) {
      response.once('close', () => {
        const status = response.writableFinished ? String(response.statusCode) : 'aborted';
        apiMetrics.requestEnded({ method: request.method, route: routeLabel(request), status }, performance.now() - began);
      });
    }
    next();
  };
}

/** Creates a span for each request, below the caller's span. Mount before the access log. */
export const traceRequests: RequestHandler = (request, response, next) => {
  const { tracer } = tracing;
  if (!tracer) return next();
  const { method } = request;
  const header = request.get('traceparent');
  const parent = isTraceparent(header) ? header : undefined;
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

/**
 * The pattern of the route that handled a request, as in the OpenAPI document and without
 * `/api/v1`. Never the path itself, which contains ids and arbitrary text. `none` if no route
 * handled it, for example because it was refused earlier.
 */
export function routeLabel({ route }: Pick<Request, 'route'>): string {
  const path: unknown = route?.path;
  if (path === undefined) return 'none';
  return typeof path === 'string' ? path : 'several';
}
