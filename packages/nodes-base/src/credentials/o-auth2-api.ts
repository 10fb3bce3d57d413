import {
  AppError,
  defineCredentialType,
  type JsonObject,
  optionalCredentialText,
  ownProperty,
  type TestCredential,
  type TokenRenewal,
} from '@sluice/node-sdk';
import { clientRequest } from './shared/oauth2-client.ts';
import { choice, flag, json, oauthTokenData, secret, testUrl, text } from './shared/properties.ts';
import { ownUrlTest, succeeded } from './shared/service-test.ts';
import {
  accessToken,
  authenticateByToken,
  endsSoon,
  requestToken,
  requiredAccessToken,
  storedToken,
} from './shared/token-endpoint.ts';
import { authorizationCode } from './shared/user-consent.ts';

const byUser = ['authorizationCode', 'pkce'];

/**
 * Fetches a token with the credential's grant: client credentials, or the refresh token of a user's
 * authorization. Resolves to the complete data; keeps values that the service does not repeat, such
 * as a refresh token. See `TokenRenewal.renew`.
 */
export const refreshToken: TokenRenewal['renew'] = async (data, ports, signal) => {
  const old = storedToken(data);
  const fresh = await requestToken(clientRequest(data, grantFields(data)), ports, signal);
  const kept = { ...old };
  delete kept['expiresAt'];
  return { ...data, oauthTokenData: { ...kept, ...fresh } };
};

const renewal: TokenRenewal = {
  isDue(data, nowMs) {
    const token = storedToken(data);
    if (accessToken(token) !== undefined && !endsSoon(token, nowMs) && !hasUnknownEnd(token)) return false;
    return isClientCredentials(data) || refreshTokenOf(token) !== undefined;
  },
  renew: refreshToken,
};

/**
 * For client credentials, fetches a new token. A user's token is only checked: a refresh could
 * invalidate the stored one.
 */
const test: TestCredential = async (data, ports, signal) => {
  const fresh = isClientCredentials(data) ? await refreshToken(data, ports, signal) : data;
  if (optionalCredentialText(data, 'testUrl') !== '')
    return ownUrlTest({ authenticate: authenticateByToken })(fresh, ports, signal);
  requiredAccessToken(fresh);
  if (isClientCredentials(data)) return succeeded('received a token from the token endpoint');
  if (endsSoon(storedToken(data), ports.now())) return { status: 'Error', message: 'the access token has expired' };
  return succeeded('there is an access token that has not expired');
};

export const oAuth2Api = defineCredentialType({
  name: 'oAuth2Api',
  displayName: 'OAuth2',
  documentation: 'https://www.rfc-editor.org/rfc/rfc6749',
  properties: [
    choice('grantType', 'Grant Type', [
      ['authorizationCode', 'Authorization Code'],
      ['clientCredentials', 'Client Credentials'],
      ['pkce', 'PKCE'],
    ]),
    text('authUrl', 'Authorization URL', { required: true, show: { grantType: byUser } }),
    text('accessTokenUrl', 'Access Token URL', { required: true }),
    text('clientId', 'Client ID', { keepsSecrets: true, required: true }),
    secret('clientSecret', 'Client Secret', {
      required: true,
      show: { grantType: ['authorizationCode', 'clientCredentials'] },
    }),
    text('scope', 'Scope', { keepsSecrets: true, description: 'Scopes, separated as the service requires' }),
    text('authQueryParameters', 'Auth URI Query Parameters', { keepsSecrets: true, show: { grantType: byUser } }),
    choice('authentication', 'Authentication', [
      ['header', 'Header'],
      ['body', 'Body'],
    ]),
    flag('sendAdditionalBodyProperties', 'Send Additional Body Properties'),
    json('additionalBodyProperties', 'Additional Body Properties', { show: { sendAdditionalBodyProperties: [true] } }),
    oauthTokenData,
    testUrl,
  ],
  authenticate: authenticateByToken,
  renewal,
  consent: authorizationCode,
  test,
});

function isClientCredentials(data: JsonObject): boolean {
  return optionalCredentialText(data, 'grantType', 'authorizationCode') === 'clientCredentials';
}

function refreshTokenOf(token: JsonObject): string | undefined {
  const value = ownProperty(token, 'refresh_token');
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** Whether an imported token has a lifetime but no recorded creation time. */
function hasUnknownEnd(token: JsonObject): boolean {
  return ownProperty(token, 'expires_in') !== undefined && ownProperty(token, 'expiresAt') === undefined;
}

function grantFields(data: JsonObject): [string, string][] {
  if (isClientCredentials(data)) {
    const scope = optionalCredentialText(data, 'scope');
    return [['grant_type', 'client_credentials'], ...(scope === '' ? [] : [['scope', scope] as [string, string]])];
  }
  const token = refreshTokenOf(storedToken(data));
  if (token === undefined) {
    throw new AppError({ code: 'CREDENTIAL_INCOMPLETE', message: 'the credential has no refresh token: connect it again' });
  }
  return [
    ['grant_type', 'refresh_token'],
    ['refresh_token', token],
  ];
}
