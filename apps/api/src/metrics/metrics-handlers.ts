import type { OnDemand } from '@sluice/domain';
import type { RequestHandler } from 'express';
import type { ApiMetrics } from './api-metrics.ts';
import { routeLabel } from './route-label.ts';

/**
 * Metrics from the first time on that somebody asks for them: the library that keeps them costs a process 15 MB, which an installation
 * without Prometheus need not pay.
 */
export type MetricsOnDemand = OnDemand<ApiMetrics>;

/** Counts each request; comes before whatever may answer. */
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
