import type { Request, Response } from 'express';
import { clientAddress } from './client-address.ts';
import type { Counters } from './counters.ts';
import { enforce, type Limit } from './enforce.ts';

export interface AnonymousLimitOptions {
  counters: Counters;
  windowMs: number;
  /** Requests in a window. */
  anonymousMax: {
    /** From one client address, to all routes. */
    readonly address: number;
    /** To one route, from all addresses. */
    readonly route: number;
  };
}

/** Limits what requests without an API key may start: webhooks, forms, and resumes of waiting executions. */
export interface AnonymousLimit {
  /**
   * Counts a request that has passed authentication, before its body is read; throws `RATE_LIMITED`. A request that its address may not make is not
   * counted for the route, so one address cannot use up the limit of a route. Counts a request once, however often it is asked.
   *
   * @param route whatever names the route: of a webhook or form its workflow and node, of a resume its execution.
   */
  admit(request: Request, response: Response, ...route: string[]): Promise<void>;
}

export function anonymousLimit({ counters, windowMs, anonymousMax }: AnonymousLimitOptions): AnonymousLimit {
  const admitted = new WeakSet<Request>();
  return {
    async admit(request, response, ...route) {
      if (admitted.has(request)) return;
      const limits: [Limit, Limit] = [
        { key: `caller:${clientAddress(request.ip)}`, max: anonymousMax.address, policy: 'caller' },
        { key: `route:${route.join(':')}`, max: anonymousMax.route, policy: 'route' },
      ];
      const counts = await counters.count(limits);
      for (const [i, count] of counts.entries()) enforce({ limit: limits[i] as Limit, count }, response, windowMs);
      admitted.add(request);
    },
  };
}
