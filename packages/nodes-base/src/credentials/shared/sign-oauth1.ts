import {
  AppError,
  type AuthenticateRequest,
  credentialText,
  type JsonObject,
  optionalCredentialText,
  ownProperty,
  withHeaders,
} from '@sluice/node-sdk';
import { type OAuth1Method, oAuth1Authorization, oAuth1Methods } from './oauth1.ts';
import { storedToken } from './token-endpoint.ts';

const nonceBytes = 24;

/** Signs a request with the fields of `oAuth1Api`. */
export const signOAuth1: AuthenticateRequest = (request, data, { now, randomBytes }) => {
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

function signatureMethod(data: JsonObject): OAuth1Method {
  const name = optionalCredentialText(data, 'signatureMethod', oAuth1Methods[0]);
  const method = oAuth1Methods.find((candidate) => candidate === name);
  if (method) return method;
  throw new AppError({ code: 'CREDENTIAL_UNUSABLE', message: 'the signature method is not supported' });
}

function tokenText(data: JsonObject, field: string): string {
  const value = ownProperty(storedToken(data), field);
  return typeof value === 'string' ? value : '';
}
