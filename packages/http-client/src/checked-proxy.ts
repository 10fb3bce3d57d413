import { lookup as systemLookup } from 'node:dns';
import { isIP } from 'node:net';
import { isAppError } from '@sluice/domain';
import type { AddressPolicy } from './address-policy.ts';
import { bareHost, checkedUrl, portOf } from './checked-url.ts';
import { failedError, invalidProxyError } from './errors.ts';
import { checkLiteral, guardedLookup } from './guarded-lookup.ts';

/** A proxy that passed every check that needs no DNS lookup. */
export interface CheckedProxy {
  origin: string;
  /** Without brackets. */
  host: string;
  port: number;
  /** Value of `proxy-authorization`; empty if the proxy needs no credential. */
  authorization: string;
}

/** Parses the URL of an HTTP proxy. Throws `HTTP_INVALID_REQUEST` and `HTTP_BLOCKED`. */
export function checkedProxy(text: string, policy: AddressPolicy): CheckedProxy {
  const url = URL.parse(text.includes('://') ? text : `http://${text}`);
  if (url?.protocol !== 'http:' && url?.protocol !== 'https:') throw invalidProxyError();
  const { username, password } = url;
  url.username = '';
  url.password = '';
  const target = checkedUrl(url.href, policy);
  const { origin } = target;
  return {
    origin,
    host: bareHost(target),
    port: portOf(target),
    authorization: username === '' ? '' : basic(decoded(username), decoded(password)),
  };
}

/**
 * Checks the target of a proxied request by the addresses to which this machine resolves its name.
 * A name that does not resolve here is blocked, unless `SSRF_ALLOW` contains it or the protection
 * is off. Throws `HTTP_BLOCKED` and `HTTP_FAILED`.
 */
export async function checkTarget(url: URL, policy: AddressPolicy, lookup: typeof systemLookup = systemLookup): Promise<void> {
  const host = bareHost(url);
  const port = portOf(url);
  if (isIP(host) !== 0) return checkLiteral(policy, host, port);
  await new Promise<void>((resolve, reject) => {
    guardedLookup(policy, port, lookup)(host, { all: true }, (error) => {
      if (!error || (!isAppError(error) && policy.allowsHost(host, port))) resolve();
      else reject(isAppError(error) ? error : failedError(error));
    });
  });
}

function basic(user: string, password: string): string {
  return `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
