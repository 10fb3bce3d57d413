import {
  type AuthenticateRequest,
  type AuthenticationTemplate,
  type CredentialType,
  defineCredentialType,
  type HttpRequest,
  type JsonObject,
  type NodeProperty,
  optionalCredentialText,
  ownProperty,
  type TestCredential,
  withHeaders,
} from '@sluice/node-sdk';
import { hostOfAddress } from '../shared/hosts-of-service.ts';
import { flag, oauthTokenData, secret, text } from '../shared/properties.ts';
import { type ServiceTest, serviceTest, succeeded } from '../shared/service-test.ts';
import { endsSoon, requiredAccessToken, storedToken, withUserToken } from '../shared/token-endpoint.ts';
import { tokenRenewal } from '../shared/token-renewal.ts';
import { revokeTokens } from '../shared/token-revocation.ts';
import { authorizationCode } from '../shared/user-consent.ts';

type OfData<T> = T | ((data: JsonObject) => T);

/** A service with OAuth 2 (authorization code) whose addresses and scopes are known. */
interface OAuth2Service {
  name: string;
  displayName: string;
  documentation: string;
  authUrl: OfData<string>;
  tokenUrl: OfData<string>;
  /** Endpoint that revokes tokens (RFC 7009), if the service publishes one. */
  revocation?: {
    url: OfData<string>;
    /** See `TokenRevocation.sharedGrant`. */
    sharedGrant?: string;
    /** See `RevocationEndpoint.isNamedByKind`. */
    isNamedByKind?: true;
  };
  /** In the service's own format. Absent: the credential's `scope` field, if it has one. */
  scope?: OfData<string>;
  /** Authorization URL parameter for the scopes. Default: `scope`. */
  scopeIn?: string;
  /** Additional parameters of the authorization URL, such as `access_type=offline`. */
  authQuery?: string;
  /** Where the client's ID and secret are sent (RFC 6749 §2.3.1). Default: the header. */
  client?: 'body';
  /** With PKCE (RFC 7636); the client secret is then optional. */
  pkce?: true;
  fields?: readonly NodeProperty[];
  /** API hosts. The host of the token URL is added. */
  hosts: OfData<readonly string[]>;
  /** How requests carry the token. Default: `Authorization: Bearer`. */
  carry?: (token: string, data: JsonObject, url: string) => [header: string, value: string];
  /** Authentication by other means than the token. */
  authenticate?: AuthenticationTemplate;
  problemOf?: CredentialType['problemOf'];
  /** Parameters of the redirect back that are stored with the token. */
  storedParameters?: readonly string[];
  /**
   * A request that any token with the default scopes may send. Absent: only the token's expiry is
   * checked.
   */
  test?: OfData<string | HttpRequest>;
  refusal?: ServiceTest['refusal'];
}

const bearerToken = (token: string): [string, string] => ['authorization', `Bearer ${token}`];

/**
 * A credential type for which users only enter their client; the service determines the rest.
 * `oAuth2Api` fields in the data cannot change the addresses.
 */
export function oAuth2Service(service: OAuth2Service): CredentialType {
  const { name, displayName, documentation, hosts, problemOf, revocation, storedParameters = [] } = service;
  const settings = (data: JsonObject) => settingsOf(service, data);
  const authenticate = service.authenticate ?? byToken(service, settings);
  const withToken = (data: JsonObject, { oauthTokenData: token = {} }: JsonObject) => ({ ...data, oauthTokenData: token });
  return defineCredentialType({
    name,
    displayName,
    documentation,
    properties: propertiesOf(service),
    authenticate,
    hosts: (data) => {
      const addresses = [service.tokenUrl, ...(revocation ? [revocation.url] : [])];
      return [...valueFor(hosts, data), ...addresses.flatMap((url) => hostOfAddress(valueFor(url, data)))];
    },
    renewal: {
      isDue: (data, nowMs) => tokenRenewal.isDue(settings(data), nowMs),
      renew: async (data, ports, signal) => withToken(data, await tokenRenewal.renew(settings(data), ports, signal)),
    },
    consent: {
      begin: (data, request, ports) => authorizationCode.begin(settings(data), request, ports),
      async complete(data, grant, ports, signal) {
        const { oauthTokenData: token } = await authorizationCode.complete(settings(data), grant, ports, signal);
        const callbackParameters = storedParameters.flatMap((key) => {
          const value = ownProperty(grant.parameters ?? {}, key);
          return value === undefined ? [] : [[key, value] as const];
        });
        const callback = callbackParameters.length > 0 && { callbackQueryString: Object.fromEntries(callbackParameters) };
        return { ...data, oauthTokenData: { ...(token as JsonObject), ...callback } };
      },
    },
    ...(revocation && {
      revocation: {
        ...(revocation.sharedGrant !== undefined && { sharedGrant: revocation.sharedGrant }),
        revoke: (data, ports, signal) =>
          revokeTokens(settings(data), { ...revocation, url: valueFor(revocation.url, data) }, ports, signal),
      },
    }),
    ...(problemOf && { problemOf }),
    test: testOf(service, settings, authenticate),
  });
}

function propertiesOf({ fields = [], scope, pkce }: OAuth2Service): readonly NodeProperty[] {
  const customScopes = [
    flag('customScopes', 'Custom Scopes', {
      keepsSecrets: true,
      description: 'Whether to request scopes other than the default',
    }),
    text('enabledScopes', 'Enabled Scopes', { keepsSecrets: true, required: true, show: { customScopes: [true] } }),
  ];
  return [
    ...fields,
    text('clientId', 'Client ID', { keepsSecrets: true, required: true }),
    secret('clientSecret', 'Client Secret', pkce ? {} : { required: true }),
    ...(scope === undefined ? [] : customScopes),
    oauthTokenData,
  ];
}

/** The data as a credential of `oAuth2Api`. */
function settingsOf(service: OAuth2Service, data: JsonObject): JsonObject {
  const { authUrl, tokenUrl, scopeIn, authQuery = '', client = 'header', pkce } = service;
  const scope = scopeOf(service, data);
  return {
    ...data,
    oauthTokenData: withUserToken(storedToken(data)),
    grantType: pkce ? 'pkce' : 'authorizationCode',
    authUrl: valueFor(authUrl, data),
    accessTokenUrl: valueFor(tokenUrl, data),
    authQueryParameters: scopeIn === undefined ? authQuery : new URLSearchParams({ [scopeIn]: scope }).toString(),
    authentication: client,
    scope: scopeIn === undefined ? scope : '',
    sendAdditionalBodyProperties: false,
  };
}

function scopeOf({ scope }: OAuth2Service, data: JsonObject): string {
  if (scope === undefined) return optionalCredentialText(data, 'scope');
  const own = ownProperty(data, 'customScopes') === true ? optionalCredentialText(data, 'enabledScopes') : '';
  return own === '' ? valueFor(scope, data) : own;
}

function byToken({ carry = bearerToken }: OAuth2Service, settings: (data: JsonObject) => JsonObject): AuthenticateRequest {
  return (request, data) => withHeaders(request, [carry(requiredAccessToken(settings(data)), data, request.url)]);
}

/** A user's token is only checked: a refresh could invalidate the stored one. */
function testOf(
  { test, refusal }: OAuth2Service,
  settings: (data: JsonObject) => JsonObject,
  authenticate: AuthenticateRequest | AuthenticationTemplate,
): TestCredential {
  const tester =
    test && serviceTest({ authenticate }, { request: (data) => valueFor(test, data), ...(refusal && { refusal }) });
  return async (data, ports, signal) => {
    const effective = settings(data);
    requiredAccessToken(effective);
    if (endsSoon(storedToken(effective), ports.now())) return { status: 'Error', message: 'the access token has expired' };
    return tester ? tester(data, ports, signal) : succeeded('there is an access token that has not expired');
  };
}

function valueFor<T>(value: OfData<T>, data: JsonObject): T {
  return typeof value === 'function' ? (value as (data: JsonObject) => T)(data) : value;
}
