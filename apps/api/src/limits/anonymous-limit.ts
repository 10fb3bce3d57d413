import type { StorageQuotaRepository } from '@sluice/db';
import type { ExecutionId, WorkflowId } from '@sluice/domain';
import type { Request, Response } from 'express';
import { clientAddress } from '../http/request/sender-address.ts';
import type { Limiter } from './limiter.ts';

/** Target of a request: a node that starts executions, or an execution that waits. */
export type AnonymousRoute =
  | { workflowId: WorkflowId; nodeName: string }
  /** `workflowId`: absent for requests that store nothing. */
  | { workflowId?: WorkflowId; executionId: ExecutionId };

export interface AnonymousLimitOptions {
  limiter: Limiter;
  /** Maximum number of requests in a window. */
  anonymousMax: {
    /** From one client address, to all routes. */
    readonly address: number;
    /** To one route, from all addresses. */
    readonly route: number;
  };
  storageQuotas: Pick<StorageQuotaRepository, 'assertCapacityFor'>;
}

/** Limits requests without an API key: webhooks, forms, and resumes. */
export interface AnonymousLimit {
  /**
   * Counts an authenticated request before its body is read. A request over the limit of its
   * address does not count for the route, so one address cannot exhaust a route. Further calls with
   * the same request do nothing. Throws `RATE_LIMITED`, and `STORAGE_QUOTA_EXCEEDED` if the project
   * is over its quota.
   */
  admit(request: Request, response: Response, route: AnonymousRoute): Promise<void>;
}

export function anonymousLimit({ limiter, anonymousMax, storageQuotas }: AnonymousLimitOptions): AnonymousLimit {
  const admitted = new WeakSet<Request>();
  return {
    async admit(request, response, route) {
      if (admitted.has(request)) return;
      const limits = limiter([
        // Not `client-address:…`: replicas of earlier versions count under this key.
        { key: `caller:${clientAddress(request)}`, max: anonymousMax.address, policy: 'client-address' },
        { key: `route:${nameOf(route)}`, max: anonymousMax.route, policy: 'route' },
      ]);
      for (const enforce of limits) await enforce(request, response);
      if (route.workflowId !== undefined) await storageQuotas.assertCapacityFor(route.workflowId);
      admitted.add(request);
    },
  };
}

function nameOf(route: AnonymousRoute): string {
  return 'nodeName' in route ? `${route.workflowId}:${route.nodeName}` : `execution:${route.executionId}`;
}
