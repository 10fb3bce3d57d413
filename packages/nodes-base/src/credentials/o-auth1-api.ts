import { defineCredentialType } from '@sluice/node-sdk';
import { oAuth1Methods } from './shared/oauth1.ts';
import { choice, oauthTokenData, secret, testUrl, text } from './shared/properties.ts';
import { ownUrlTest } from './shared/service-test.ts';
import { signOAuth1 } from './shared/sign-oauth1.ts';

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
  authenticate: signOAuth1,
  test: ownUrlTest({ authenticate: signOAuth1 }),
});
