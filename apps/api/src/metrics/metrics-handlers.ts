import type { OnDemand } from '@sluice/domain';
import type { RequestHandler } from 'express';
import type { ApiMetrics } from './api-metrics.ts';
import { routeLabel } from './route-label.ts';

/**
 * Collects metrics from the first scrape on: their library uses 15 MB, which installations without
 * Prometheus save.
 */
export type MetricsOnDemand = OnDemand<ApiMetrics>;

/** Counts each request. Mount before all handlers that may respond. */
export function observeRequests(metrics: MetricsOnDemand): RequestHandler {
  return (request, response, next) => {
    const { made } = metrics;
    const began = performance.now();
    if (made) {
      response.once('close', () => {
        const status = response.writableFinished ? String(response.statusCode) : 'aborted';
        made.requestEnded({ method: request.method, route: routeLabel(request), status }, performance.now() - began);
      });
    }
    next();
  };
}
