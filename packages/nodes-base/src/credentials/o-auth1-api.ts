import {
  AppError,
  type AuthenticateRequest,
  credentialText,
  defineCredentialType,
  type JsonObject,
  optionalCredentialText,
  ownProperty,
  withHeaders,
} from '@sluice/node-sdk';
import { type OAuth1Method, oAuth1Authorization, oAuth1Methods } from './shared/oauth1.ts';
import { choice, oauthTokenData, secret, testUrl, text } from './shared/properties.ts';
import { ownUrlTest } from './shared/service-test.ts';
import { storedToken } from './shared/token-endpoint.ts';

const nonceBytes = 24;

const authenticate: AuthenticateRequest = (request, data, { now, randomBytes }) => {
  const authorization = oAuth1Authorization(request, {
    method: signatureMethod(data),
    consumerKey: credentialText(data, 'consumerKey'),
    consumerSecret: credentialText(data, 'consumerSecret'),
    token: tokenText(data, 'oauth_token'),
    tokenSecret: tokenText(data, 'oauth_token_secret'),
    nonce: Buffer.from(randomBytes(nonceBytes)).toString('hex'),
    timestamp: Math.floor(now() / 1000),
  });
  return withHeaders(request, [['authorization', authorization]]);
};

/** OAuth 1.0a. Without a token, only the consumer signs the request ("two-legged"). */
export const oAuth1Api = defineCredentialType({
  name: 'oAuth1Api',
  displayName: 'OAuth1',
  documentation: 'https://www.rfc-editor.org/rfc/rfc5849',
  properties: [
    text('authUrl', 'Authorization URL', { required: true }),
    text('accessTokenUrl', 'Access Token URL', { required: true }),
    text('requestTokenUrl', 'Request Token URL', { required: true }),
    text('consumerKey', 'Consumer Key', { keepsSecrets: true, required: true }),
    secret('consumerSecret', 'Consumer Secret', { required: true }),
    choice(
      'signatureMethod',
      'Signature Method',
      oAuth1Methods.map((method) => [method, method]),
    ),
    oauthTokenData,
    testUrl,
  ],
  authenticate,
  test: ownUrlTest({ authenticate }),
});

function signatureMethod(data: JsonObject): OAuth1Method {
  const name = optionalCredentialText(data, 'signatureMethod', oAuth1Methods[0]);
  const method = oAuth1Methods.find((known) => known === name);
  if (method) return method;
  throw new AppError({ code: 'CREDENTIAL_UNUSABLE', message: 'the signature method is not supported' });
}

function tokenText(data: JsonObject, field: string): string {
  const value = ownProperty(storedToken(data), field);
  return typeof value === 'string' ? value : '';
}
