import { lookup as systemLookup } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import type { AddressPolicy } from './address-policy.ts';
import { blockedError } from './errors.ts';

/**
 * A DNS lookup that checks all addresses of a name and passes exactly these to the connection, so
 * that a second lookup cannot differ (DNS rebinding). One blocked address blocks the name. Node
 * does not call it for literals.
 *
 * @param port of the connections that use it; `undefined` if unknown
 */
export function guardedLookup(
  policy: Pick<AddressPolicy, 'allows'>,
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

/**
 * Throws `HTTP_BLOCKED` for a literal that is not allowed. Names pass: `guardedLookup` checks them.
 */
export async function checkLiteral(policy: Pick<AddressPolicy, 'allows'>, host: string, port: number): Promise<void> {
  if (isIP(host) !== 0 && !(await policy.allows(host, [host], port))) throw blockedError();
}
