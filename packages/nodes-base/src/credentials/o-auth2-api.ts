import { defineCredentialType, optionalCredentialText, type TestCredential } from '@sluice/node-sdk';
import { choice, flag, json, oauthTokenData, secret, testUrl, text } from './shared/properties.ts';
import { ownUrlTest, succeeded } from './shared/service-test.ts';
import { authenticateByToken, endsSoon, requiredAccessToken, storedToken } from './shared/token-endpoint.ts';
import { isClientCredentials, refreshToken, tokenRenewal } from './shared/token-renewal.ts';
import { authorizationCode } from './shared/user-consent.ts';

const byUser = ['authorizationCode', 'pkce'];

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
  renewal: tokenRenewal,
  consent: authorizationCode,
  test,
});
