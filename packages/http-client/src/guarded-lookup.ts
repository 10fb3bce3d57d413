import { lookup as systemLookup } from 'node:dns';
import type { LookupFunction } from 'node:net';
import type { AddressPolicy } from './address-policy.ts';
import { blockedError } from './errors.ts';

/** Judges all addresses of a name in the look-up that the connection itself uses; one refused address refuses the name. */
export function guardedLookup(policy: AddressPolicy, lookup: typeof systemLookup = systemLookup): LookupFunction {
  return (hostname, options, callback) => {
    lookup(hostname, { ...options, all: true }, (error, addresses) => {
      if (error) return callback(error, []);
      const [first] = addresses;
      const allowed = policy.allowsHost(hostname) || addresses.every(({ address }) => policy.allowsAddress(address));
      if (!first || !allowed) return callback(blockedError(), []);
      if (options.all) return callback(null, addresses);
      callback(null, first.address, first.family);
    });
  };
}
