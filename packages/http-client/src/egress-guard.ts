import type { EgressGuard } from '@sluice/node-sdk';
import { createAddressPolicy } from './address-policy.ts';
import { checkTarget } from './checked-proxy.ts';
import { checkedUrl } from './checked-url.ts';
import { guardedLookup } from './guarded-lookup.ts';
import type { HttpClientOptions } from './http-client-options.ts';

/** The checks of this client, for libraries that open their own connections. */
export function createEgressGuard(options: HttpClientOptions): EgressGuard {
  const policy = createAddressPolicy(options);
  return {
    check: async (url) => checkTarget(checkedUrl(url, policy), policy),
    lookup: guardedLookup(policy, undefined),
  };
}
