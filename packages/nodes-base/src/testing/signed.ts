import {
  type AuthenticationPorts,
  type CredentialType,
  type HttpRequest,
  httpAuthentication,
  type JsonObject,
} from '@sluice/node-sdk';

/** The request after a credential type has authenticated it. */
export async function signed(
  type: CredentialType,
  request: HttpRequest,
  data: JsonObject,
  ports: AuthenticationPorts,
): Promise<HttpRequest> {
  const authenticate = httpAuthentication(type, data, ports)?.authenticate;
  if (!authenticate) throw new Error(`${type.name} does not authenticate requests beforehand`);
  return authenticate(request, new AbortController().signal);
}
