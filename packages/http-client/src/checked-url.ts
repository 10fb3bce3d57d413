import { isIP } from 'node:net';
import { assertUrlLength } from '@sluice/node-sdk';
import type { AddressPolicy } from './address-policy.ts';
import { blockedError, invalidUrlError } from './errors.ts';

/**
 * Parses a URL once and checks everything that needs no DNS lookup: scheme, user info, and address
 * literals. The WHATWG parser normalizes every notation of an IPv4 address (`0x7f.1`, `2130706433`,
 * `127.1`). Names and the service's own endpoints are checked at connection time. Throws
 * `HTTP_INVALID_URL` and `HTTP_BLOCKED`.
 */
export function checkedUrl(text: string, policy: AddressPolicy, base?: URL): URL {
  assertUrlLength([text]);
  const url = URL.parse(text, base?.href);
  if (!url) throw invalidUrlError('it is not an absolute URL');
  if (url.protocol !== 'http:' && url.protocol !== 'https:') throw invalidUrlError('only http and https are spoken');
  if (url.username !== '' || url.password !== '') throw invalidUrlError('user name and password do not belong into it');
  const host = bareHost(url);
  if (isIP(host) !== 0 && policy.refusesLiteral(host, portOf(url))) throw blockedError();
  return url;
}

/** The port, explicit or default. */
export function portOf(url: URL): number {
  return Number(url.port) || (url.protocol === 'https:' ? 443 : 80);
}

/** The host without the brackets of an IPv6 literal. */
export function bareHost(url: URL): string {
  return url.hostname.startsWith('[') ? url.hostname.slice(1, -1) : url.hostname;
}
