import { lookup as systemLookup } from 'node:dns';
import type { HttpTls } from '@sluice/node-sdk';
import { buildConnector } from 'undici';
import type { AddressPolicy } from './address-policy.ts';
import { blockedError } from './errors.ts';
import { guardedLookup } from './guarded-lookup.ts';

export const connectTimeoutMs = 10_000;

/**
 * Opens connections for undici. A name's addresses are all judged in the look-up that the connection itself uses, so that no second
 * answer can differ from the first (DNS rebinding); one refused address refuses the name. The peer is judged again once connected.
 */
export function createGuardedConnector(
  policy: AddressPolicy,
  lookup: typeof systemLookup = systemLookup,
  tls: HttpTls = {},
): buildConnector.connector {
  const guarded = { timeout: connectTimeoutMs, allowH2: false, lookup: guardedLookup(policy, lookup) };
  const connect = buildConnector({ ...tls, ...guarded });
  return (options, callback) => {
    connect(options, (...[error, socket]: buildConnector.CallbackArgs) => {
      if (error) return callback(error, null);
      if (policy.allowsHost(options.hostname) || policy.allowsAddress(socket.remoteAddress ?? ''))
        return callback(null, socket);
      socket.destroy();
      callback(blockedError(), null);
    });
  };
}
