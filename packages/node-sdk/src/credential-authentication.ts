import type { JsonObject } from '@sluice/domain';
import { httpAuthentication } from './authentication.ts';
import type { AuthenticationPorts, CredentialType } from './credential.ts';
import { NodeOperationError } from './errors.ts';
import type { HttpAuthentication, HttpRequest } from './http.ts';

/** A credential's part in requests. Throws `NodeOperationError`s for a type that nobody ships, or that is not for HTTP. */
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

/** What is worked out of the secrets is one too, should a service send it back. */
export function hidingTokens(authentication: HttpAuthentication, hide: (secret: string) => void): HttpAuthentication {
  const { authenticate } = authentication;
  if (!authenticate) return authentication;
  return {
    ...authentication,
    async authenticate(request, signal) {
      const authenticated = await authenticate(request, signal);
      const token = authorization(authenticated).replace(/^\S+\s+/, '');
      if (token !== '') hide(token);
      return authenticated;
    },
  };
}

function authorization({ headers = {} }: HttpRequest): string {
  const value = Object.entries(headers).find(([name]) => name.toLowerCase() === 'authorization')?.[1] ?? '';
  return [value].flat().join();
}
