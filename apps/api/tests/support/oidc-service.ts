import { generateKeyPairSync } from 'node:crypto';
import { createServer } from 'node:http';
import { type LoopbackServer, listening } from '@sluice/http-client/testing';
import type { ClientMetadata } from 'oidc-provider';

/**
 * A certified authorization server (https://github.com/panva/node-oidc-provider) on the loopback.
 */
export interface OidcService extends LoopbackServer {
  /** Lifetime of access tokens that it issues from now on, in seconds. */
  tokenSeconds: number;
  /** Successful grants at its token endpoint, in order: `authorization_code`. */
  grants: string[];
  /** Errors that it returned, in order: `invalid_client`. */
  errors: string[];
  /** Status of its response to a request for the user of an access token. */
  userinfoStatus(accessToken: string): Promise<number>;
}

const clientSecret = 'client-secret-4711';
const byCode = {
  redirect_uris: ['https://sluice.example/oauth2/callback'],
  grant_types: ['authorization_code', 'refresh_token'],
  id_token_signed_response_alg: 'ES256' as const,
};
const clients: ClientMetadata[] = [
  { ...byCode, client_id: 'confidential', client_secret: clientSecret },
  { ...byCode, client_id: 'pkce-required', client_secret: clientSecret },
  { ...byCode, client_id: 'public', token_endpoint_auth_method: 'none' },
  { ...byCode, client_id: 'gitlab', client_secret: clientSecret, token_endpoint_auth_method: 'client_secret_post' },
  {
    client_id: 'machine',
    client_secret: clientSecret,
    token_endpoint_auth_method: 'client_secret_post',
    redirect_uris: [],
    response_types: [],
    grant_types: ['client_credentials'],
    id_token_signed_response_alg: 'ES256',
    scope: 'api',
  },
];

/**
 * Starts the server, with the paths of GitLab. It requires PKCE of the clients `pkce-required` and
 * `public`, rotates refresh tokens, and revokes a grant whose refresh token is reused.
 */
export async function startOidcService(): Promise<OidcService> {
  const server = createServer();
  const listens = await listening(server);
  const key = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({ format: 'jwk' });
  const service: OidcService = {
    ...listens,
    tokenSeconds: 3_600,
    grants: [],
    errors: [],
    async userinfoStatus(accessToken) {
      const headers = { authorization: `Bearer ${accessToken}` };
      return (await fetch(`${listens.url}/api/v4/user`, { headers })).status;
    },
  };
  // Not before callers can silence the warnings of the module.
  const { Provider } = await import('oidc-provider');
  const provider = new Provider(listens.url, {
    clients,
    jwks: { keys: [{ ...key, kty: 'EC', alg: 'ES256', use: 'sig' }] },
    cookies: { keys: ['a-key-of-the-cookies'] },
    scopes: ['openid', 'offline_access', 'api'],
    claims: { openid: ['sub'], api: ['email'] },
    features: { clientCredentials: { enabled: true }, revocation: { enabled: true }, devInteractions: { enabled: true } },
    routes: {
      authorization: '/oauth/authorize',
      token: '/oauth/token',
      revocation: '/oauth/revoke',
      userinfo: '/api/v4/user',
    },
    pkce: { required: (_, { clientId }) => ['pkce-required', 'public'].includes(clientId) },
    rotateRefreshToken: true,
    clockTolerance: 0,
    // GitLab issues refresh tokens without the scope.
    issueRefreshToken: async (_, { clientId }, { scopes }) => clientId === 'gitlab' || scopes.has('offline_access'),
    ttl: { AccessToken: () => service.tokenSeconds, ClientCredentials: () => service.tokenSeconds },
    findAccount: (_, accountId) => ({ accountId, claims: () => ({ sub: accountId, email: `${accountId}@example.com` }) }),
  });
  provider.on('grant.success', ({ oidc }) => service.grants.push(String(oidc.params?.['grant_type'])));
  provider.on('grant.error', (_, { error }) => service.errors.push(error));
  provider.on('authorization.error', (_, { error }) => service.errors.push(error));
  server.on('request', provider.callback());
  return service;
}
