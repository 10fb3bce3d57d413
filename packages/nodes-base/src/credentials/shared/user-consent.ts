import { createHash } from 'node:crypto';
import {
  AppError,
  type ConsentRequest,
  credentialText,
  type JsonObject,
  optionalCredentialText,
  ownProperty,
  type UserConsent,
} from '@sluice/node-sdk';
import { stringOf } from '../../shared/coerced-text.ts';
import { clientRequest } from './oauth2-client.ts';
import { requestToken } from './token-endpoint.ts';

/**
 * Fields that determine the client and the recipients of the code. If one changes after the
 * consent, the code is not sent.
 */
const boundFields = ['authUrl', 'accessTokenUrl', 'clientId'] as const;

/**
 * Authorization code grant (RFC 6749 §4.1), with PKCE (RFC 7636) if the credential's grant type
 * requires it.
 */
export const authorizationCode: UserConsent = {
  begin(data, request, { randomBytes }) {
    const grant = optionalCredentialText(data, 'grantType', 'authorizationCode');
    if (grant === 'clientCredentials') return undefined;
    const codeVerifier = grant === 'pkce' ? Buffer.from(randomBytes(32)).toString('base64url') : null;
    const url = authorizationUrl(data, request, codeVerifier);
    return { url, consentState: { redirectUri: request.redirectUri, codeVerifier, bound: boundTo(data) } };
  },

  async complete(data, { code, consentState }, ports, signal) {
    if (consentState['bound'] !== boundTo(data))
      throw incomplete('the credential was changed in the meantime: connect it again');
    const { redirectUri, codeVerifier } = consentState;
    const grant: [string, string][] = [
      ['grant_type', 'authorization_code'],
      ['code', code],
      ['redirect_uri', stringOf(redirectUri)],
      ...(typeof codeVerifier === 'string' ? [['code_verifier', codeVerifier] as [string, string]] : []),
    ];
    return { ...data, oauthTokenData: await requestToken(clientRequest(data, grant), ports, signal) };
  },
};

/** The credential's own parameters come first, so they cannot replace the grant's parameters. */
function authorizationUrl(data: JsonObject, { redirectUri, state }: ConsentRequest, codeVerifier: string | null): string {
  const url = webAddress(data, 'authUrl');
  url.hash = '';
  const extra = new URLSearchParams(optionalCredentialText(data, 'authQueryParameters'));
  for (const [name, value] of extra) url.searchParams.append(name, value);
  const scope = optionalCredentialText(data, 'scope');
  const parameters: Record<string, string> = {
    response_type: 'code',
    client_id: credentialText(data, 'clientId'),
    redirect_uri: redirectUri,
    state,
    ...(scope !== '' && { scope }),
    ...(codeVerifier !== null && { code_challenge: challengeOf(codeVerifier), code_challenge_method: 'S256' }),
  };
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
  return url.href;
}

function webAddress(data: JsonObject, field: string): URL {
  const url = URL.parse(credentialText(data, field));
  if (url?.protocol === 'https:' || url?.protocol === 'http:') return url;
  throw incomplete(`the field "${field}" is not an HTTP URL`);
}

function challengeOf(codeVerifier: string): string {
  return createHash('sha256').update(codeVerifier).digest('base64url');
}

function boundTo(data: JsonObject): string {
  return JSON.stringify(boundFields.map((field) => ownProperty(data, field) ?? null));
}

function incomplete(message: string): AppError {
  return new AppError({ code: 'CREDENTIAL_INCOMPLETE', message });
}
