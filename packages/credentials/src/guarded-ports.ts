import type { JsonObject } from '@sluice/domain';
import type { AuthenticationPorts, CredentialType, HttpAuthentication } from '@sluice/node-sdk';
import { allowedHostsOf, assertHostAllowed } from './allowed-hosts.ts';

/**
 * The ports for the code of a credential type: token requests, logins, and tests. Every request
 * goes to an allowed host of the credential, or throws `CREDENTIAL_HOST_NOT_ALLOWED` before
 * anything is sent. Requests of a type for the API of this service may reach that API.
 */
export function guardedPorts<T extends AuthenticationPorts>(
  ports: T,
  type: Pick<CredentialType, 'name' | 'hosts' | 'complete' | 'ownApiField'>,
  data: JsonObject,
): T {
  const allowed = allowedHostsOf(type, type.complete?.(data) ?? data);
  const own = ownApiOf(type);
  if (allowed === 'any' && !own) return ports;
  const request: AuthenticationPorts['http']['request'] = async (original, signal) => {
    const { url, proxy } = original; // the type, not the user, decides how certificates are verified
    assertHostAllowed(allowed, type.name, { url, ...(proxy !== undefined && { proxy }) });
    return ports.http.request(own ? { ...original, authentication: { ...original.authentication, ...own } } : original, signal);
  };
  return { ...ports, http: { ...ports.http, request } };
}

/** Lets requests reach the public API of this service if the type is meant for it. */
export function ownApiOf(
  type: Pick<CredentialType, 'ownApiField'> | undefined,
): Pick<HttpAuthentication, 'ownApi'> | undefined {
  return type?.ownApiField === undefined ? undefined : { ownApi: true };
}

/** The type's renewal, with guarded ports. */
export function guardedRenewal(type: CredentialType | undefined): Pick<CredentialType, 'renewal'> {
  if (!type?.renewal) return {};
  const { renewal } = type;
  return {
    renewal: { ...renewal, renew: (data, ports, signal) => renewal.renew(data, guardedPorts(ports, type, data), signal) },
  };
}
