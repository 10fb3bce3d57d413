import { lookup as systemLookup } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import type { AddressPolicy } from './address-policy.ts';
import { blockedError } from './errors.ts';

/**
 * A look-up that checks all addresses of a name and hands exactly these to the connection, so that no second answer can differ from
 * the first (DNS rebinding). One refused address refuses the name. Node does not call it for literals.
 *
 * @param port of the connections that use it; `undefined` where it is not known
 */
export function guardedLookup(
  policy: AddressPolicy,
  port: number | undefined,
  lookup: typeof systemLookup = systemLookup,
): LookupFunction {
  return (hostname, options, callback) => {
    lookup(hostname, { ...options, all: true }, (error, addresses) => {
      if (error) return callback(error, []);
      const texts = addresses.map(({ address }) => address);
      policy.allows(hostname, texts, port).then(
        (allowed) => {
          const [first] = addresses;
          if (!first || !allowed) return callback(blockedError(), []);
          if (options.all) return callback(null, addresses);
          callback(null, first.address, first.family);
        },
        (failure: Error) => callback(failure, []),
      );
    });
  };
}

/** Throws `HTTP_BLOCKED` for a literal that may not be connected to. Names pass: `guardedLookup` checks them. */
export async function checkLiteral(policy: AddressPolicy, host: string, port: number): Promise<void> {
  if (isIP(host) !== 0 && !(await policy.allows(host, [host], port))) throw blockedError();
}
