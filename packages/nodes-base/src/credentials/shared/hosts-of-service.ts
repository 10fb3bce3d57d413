import { type JsonObject, optionalCredentialText } from '@sluice/node-sdk';

/**
 * Hosts of a service whose address is a field of the credential: that address alone, or the public one and its companions.
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

/** The host and port of a URL as a list, after `http://` if that is its scheme; empty: it is not a URL. */
export function hostOfAddress(address: string): string[] {
  const url = URL.parse(address.trim());
  if (!url || url.hostname === '') return [];
  return url.protocol === 'http:' ? [`http://${url.hostname}:${url.port || 80}`] : [`${url.hostname}:${url.port || 443}`];
}
