import { type JsonObject, optionalCredentialText } from '@sluice/node-sdk';

/** Hosts of Google APIs. */
export const googleHosts = ['*.googleapis.com', '*.google.com'];

/**
 * Hosts of a service whose URL is in the credential: only that host or, for the public service, its
 * related hosts too.
 */
export function hostsOfService(
  data: JsonObject,
  field: string,
  publicAddress: string,
  companions: readonly string[] = [],
): string[] {
  const [own] = hostOfAddress(optionalCredentialText(data, field, publicAddress));
  const [usual] = hostOfAddress(publicAddress);
  if (own === undefined) return [];
  return own === usual ? [own, ...companions] : [own];
}

/**
 * Host and port of a URL in a list, prefixed with `http://` for that scheme; empty if it is not a
 * URL.
 */
export function hostOfAddress(address: string): string[] {
  const url = URL.parse(address.trim());
  if (!url || url.hostname === '') return [];
  return url.protocol === 'http:' ? [`http://${url.hostname}:${url.port || 80}`] : [`${url.hostname}:${url.port || 443}`];
}
