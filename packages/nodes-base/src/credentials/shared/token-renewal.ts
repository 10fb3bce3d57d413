import { AppError, type JsonObject, optionalCredentialText, ownProperty, type TokenRenewal } from '@sluice/node-sdk';
import { clientRequest } from './oauth2-client.ts';
import { accessToken, endsSoon, requestToken, storedToken } from './token-endpoint.ts';

/**
 * Fetches a token with the credential's grant: client credentials, or the refresh token of a user's
 * authorization. Resolves to the complete data; keeps values that the service does not repeat, such
 * as a refresh token. See `TokenRenewal.renew`.
 */
export const refreshToken: TokenRenewal['renew'] = async (data, ports, signal) => {
  const old = storedToken(data);
  const fresh = await requestToken(clientRequest(data, grantFields(data)), ports, signal);
  const previous = { ...old };
  delete previous['expiresAt'];
  return { ...data, oauthTokenData: { ...previous, ...fresh } };
};

/** Renewal of a client's or user's token. */
export const tokenRenewal: TokenRenewal = {
  isDue(data, nowMs) {
    const token = storedToken(data);
    if (accessToken(token) !== undefined && !endsSoon(token, nowMs) && !hasUnknownEnd(token)) return false;
    return isClientCredentials(data) || refreshTokenOf(token) !== undefined;
  },
  renew: refreshToken,
};

export function isClientCredentials(data: JsonObject): boolean {
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
