import { isDeepStrictEqual } from 'node:util';
import type { JsonObject } from '@sluice/domain';
import type { AuthenticationPorts, CredentialPorts } from '../access/ports.ts';
import { NodeOperationError } from '../errors/node-error.ts';
import { type HttpAuthentication, requestHeaderText } from '../http/http.ts';
import { httpAuthentication } from './authentication.ts';
import type { CredentialType } from './credential.ts';

/**
 * A credential's authentication for requests. Throws `NodeOperationError` if the type is not
 * installed or not for HTTP.
 */
export function credentialAuthentication(
  name: string,
  type: CredentialType | undefined,
  data: JsonObject,
  ports: AuthenticationPorts,
): HttpAuthentication {
  if (!type) {
    const description = 'Use a generic type: header, query or basic';
    throw new NodeOperationError(`the credential type ${name} is not supported yet`, { description }, 'NOT_SUPPORTED');
  }
  const authentication = httpAuthentication(type, data, ports);
  if (authentication) return authentication;
  throw new NodeOperationError(`credentials of type ${name} are not for HTTP requests`);
}

/** Renews a credential's tokens in only one of the processes that use it. */
export interface BoundRenewal {
  isDue(data: JsonObject): boolean;
  renew(data: JsonObject, signal: AbortSignal): Promise<JsonObject>;
}

/**
 * The renewal of a type, bound to its ports; `undefined` if it has no tokens.
 *
 * @param refused the stored data when a request got a 401: renewal is due while they are unchanged.
 */
export function boundRenewal(
  type: Pick<CredentialType, 'renewal'> | undefined,
  ports: CredentialPorts,
  refused?: JsonObject,
): BoundRenewal | undefined {
  const tokens = type?.renewal;
  return (
    tokens && {
      isDue: (data) => tokens.isDue(data, ports.now()) || (refused !== undefined && isDeepStrictEqual(data, refused)),
      renew: (data, signal) => tokens.renew(data, ports, signal),
    }
  );
}

/**
 * Authentication with a new session after a 401, if the type supports it; `renew` returns the new
 * authentication.
 */
export function renewedAfterRefusal(
  authentication: HttpAuthentication,
  type: Pick<CredentialType, 'renewal'> | undefined,
  renew: NonNullable<HttpAuthentication['renewed']>,
): HttpAuthentication {
  return type?.renewal?.afterRefusal === true ? { ...authentication, renewed: renew } : authentication;
}

/** Derived secrets must be redacted too, because a service may return them. */
export function hidingTokens(authentication: HttpAuthentication, hide: (secret: string) => void): HttpAuthentication {
  const { authenticate, renewed } = authentication;
  return {
    ...authentication,
    ...(authenticate && {
      async authenticate(request, signal) {
        const authenticated = await authenticate(request, signal);
        const token = requestHeaderText(authenticated, 'authorization').replace(/^\S+\s+/, '');
        if (token !== '') hide(token);
        return authenticated;
      },
    }),
    ...(renewed && {
      async renewed(signal) {
        const fresh = await renewed(signal);
        return fresh && hidingTokens(fresh, hide);
      },
    }),
  };
}
