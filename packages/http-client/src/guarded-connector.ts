import { lookup as systemLookup } from 'node:dns';
import type { HttpTls } from '@sluice/node-sdk';
import { buildConnector } from 'undici';
import type { AddressPolicy } from './address-policy.ts';
import { blockedError } from './errors.ts';
import { checkLiteral, guardedLookup } from './guarded-lookup.ts';
import './outgoing-ciphers.ts';

export const connectTimeoutMs = 10_000;

/** Maximum number of cached connectors, by port. Most requests use two ports. */
const maxPorts = 64;

/**
 * Opens connections for undici. Literals are checked before the connection, names within the
 * connection's own lookup, and the peer again afterward.
 */
export function createGuardedConnector(
  policy: AddressPolicy,
  lookup: typeof systemLookup = systemLookup,
  tls: HttpTls = {},
): buildConnector.connector {
  const connectors = new Map<number, buildConnector.connector>();
  // One connector per port, because undici does not pass the port to the lookup.
  const connectorFor = (port: number) => {
    const guarded = { timeout: connectTimeoutMs, allowH2: false, lookup: guardedLookup(policy, port, lookup) };
    const connector = connectors.get(port) ?? buildConnector({ ...tls, ...guarded });
    if (connectors.size >= maxPorts) connectors.clear();
    connectors.set(port, connector);
    return connector;
  };
  return (options, callback) => {
    const { hostname } = options;
    const port = Number(options.port) || (options.protocol === 'https:' ? 443 : 80);
    const connected: buildConnector.Callback = (...[error, socket]: buildConnector.CallbackArgs) => {
      if (error) return callback(error, null);
      void policy.allows(hostname, [socket.remoteAddress ?? ''], port).then((allowed) => {
        if (allowed) return callback(null, socket);
        socket.destroy();
        callback(blockedError(), null);
      });
    };
    checkLiteral(policy, hostname, port).then(
      () => void connectorFor(port)(options, connected),
      (error: Error) => callback(error, null),
    );
  };
}
