import type { EgressGuard } from '@sluice/node-sdk';
import { createAddressPolicy } from './address-policy.ts';
import { checkedUrl } from './checked-url.ts';
import { guardedLookup } from './guarded-lookup.ts';
import type { HttpClientOptions } from './http-client-options.ts';
import { judgeTarget } from './judged-proxy.ts';

/** What judges the client's own connections, for code that opens its own; `undefined` where everything may be reached. */
export function createEgressGuard(options: HttpClientOptions): EgressGuard | undefined {
  if (options.ssrfProtection === 'off') return undefined;
  const policy = createAddressPolicy(options);
  return {
    check: async (url) => judgeTarget(checkedUrl(url, policy), policy),
    lookup: guardedLookup(policy),
  };
}
