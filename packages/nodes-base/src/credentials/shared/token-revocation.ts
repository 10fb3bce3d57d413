import { type AuthenticationPorts, encodeForm, type JsonObject, ownProperty } from '@sluice/node-sdk';
import { clientAuthentication } from './oauth2-client.ts';
import { isSuccess } from './service-test.ts';
import { storedToken, tokenRefused } from './token-endpoint.ts';

const timeoutMs = 10_000;
const maxResponseBytes = 64 * 1024;

/**
 * Revokes a credential's tokens (RFC 7009): the refresh token first, since most services end its
 * access tokens with it. If the service does not recognize a token, there is nothing to revoke.
 * Throws `CREDENTIAL_TOKEN_REFUSED` if it revoked no token.
 */
export async function revokeTokens(
  data: JsonObject,
  endpoint: RevocationEndpoint,
  ports: Pick<AuthenticationPorts, 'http'>,
  signal: AbortSignal,
): Promise<void> {
  const token = storedToken(data);
  const statuses: number[] = [];
  for (const kind of ['refresh_token', 'access_token']) {
    const value = ownProperty(token, kind);
    if (typeof value === 'string' && value !== '')
      statuses.push(await revoked({ data, ...endpoint, value, kind }, ports, signal));
  }
  const [first] = statuses;
  if (first === undefined || statuses.some((status) => isSuccess({ status }))) return;
  throw tokenRefused(`the service did not revoke the tokens (${statuses.join(', ')})`, first);
}

interface RevocationEndpoint {
  url: string;
  /**
   * The service deviates from RFC 7009: it accepts a token in a field named after its kind, such as
   * `refresh_token`, without client authentication.
   */
  isNamedByKind?: true;
}

interface Revoked extends RevocationEndpoint {
  data: JsonObject;
  value: string;
  kind: string;
}

async function revoked(
  { data, url, isNamedByKind, value, kind }: Revoked,
  { http }: Pick<AuthenticationPorts, 'http'>,
  signal: AbortSignal,
): Promise<number> {
  const { form, headers } = isNamedByKind ? { form: [], headers: {} } : clientAuthentication(data);
  const fields: [string, string][] = isNamedByKind ? [[kind, value]] : [['token', value], ['token_type_hint', kind], ...form];
  const response = await http.request(
    {
      method: 'POST',
      url,
      headers: { accept: 'application/json', 'content-type': 'application/x-www-form-urlencoded', ...headers },
      body: await encodeForm(fields),
      timeoutMs,
      maxResponseBytes,
    },
    signal,
  );
  return response.status;
}
