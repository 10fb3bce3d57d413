import type { EgressGuard } from '@sluice/node-sdk';
import type { AddressPolicy } from './address-policy.ts';
import { checkTarget } from './checked-proxy.ts';
import { checkedUrl } from './checked-url.ts';
import { guardedLookup } from './guarded-lookup.ts';

/** The checks of this client, for libraries that open their own connections. */
export function createEgressGuard(policy: AddressPolicy): EgressGuard {
  return {
    check: async (url) => checkTarget(checkedUrl(url, policy), policy),
    lookup: guardedLookup(policy, undefined),
  };
}
