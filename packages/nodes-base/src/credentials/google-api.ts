import {
  credentialText,
  defineCredentialType,
  type JsonObject,
  optionalCredentialText,
  ownProperty,
  type TestCredential,
  type TokenRenewal,
} from '@sluice/node-sdk';
import { privateKeyOf } from '../shared/pem.ts';
import { googleHosts, hostOfAddress } from './shared/hosts-of-service.ts';
import { flag, oauthTokenData, secretBlock, text } from './shared/properties.ts';
import { succeeded } from './shared/service-test.ts';
import { accessToken, authenticateByToken, endsSoon, requestToken, storedToken } from './shared/token-endpoint.ts';

const defaultTokenUrl = 'https://oauth2.googleapis.com/token';
const scopeUrl = (scope: string) => `https://www.googleapis.com/auth/${scope}`;
const platformScope = scopeUrl('cloud-platform');
/** Scopes of the services that a service account may use in its own name. */
const ownScopes = [platformScope, ...['drive', 'spreadsheets', 'documents', 'presentations', 'calendar'].map(scopeUrl)].join(
  ' ',
);

/** In seconds; Google's maximum for assertions. */
const assertionLifetimeS = 3_600;

/** Fetches a token for the service account with a signed assertion (RFC 7523). */
const renew: TokenRenewal['renew'] = async (data, ports, signal) => {
  const url = optionalCredentialText(data, 'tokenUrl', defaultTokenUrl);
  const form = [
    ['grant_type', 'urn:ietf:params:oauth:grant-type:jwt-bearer'],
    ['assertion', await assertion(data, url, ports.now())],
  ] as const;
  return { ...data, oauthTokenData: await requestToken({ url, form }, ports, signal) };
};

const renewal: TokenRenewal = {
  isDue(data, nowMs) {
    const token = storedToken(data);
    return accessToken(token) === undefined || endsSoon(token, nowMs);
  },
  renew,
};

const test: TestCredential = async (data, ports, signal) => {
  await renew(data, ports, signal);
  return succeeded('received a token for the service account');
};

/** A Google service account; requests include a token fetched for it. */
export const googleApi = defineCredentialType({
  name: 'googleApi',
  displayName: 'Google Service Account',
  documentation: 'https://developers.google.com/identity/protocols/oauth2/service-account',
  properties: [
    text('region', 'Region'),
    text('email', 'Service Account Email', { keepsSecrets: true, required: true }),
    secretBlock('privateKey', 'Private Key', { required: true }),
    flag('inpersonate', 'Impersonate a User'),
    text('delegatedEmail', 'Email', {
      keepsSecrets: true,
      required: true,
      show: { inpersonate: [true] },
      description: 'The user to act as',
    }),
    flag('httpNode', 'Set up for use in HTTP Request node'),
    text('scopes', 'Scopes', {
      keepsSecrets: true,
      description:
        'Separated by spaces or commas. Default: Cloud, Drive, Sheets, Docs, Slides, and Calendar; to act as a user: Cloud',
    }),
    text('tokenUrl', 'Token URL', { description: `Default: ${defaultTokenUrl}` }),
    oauthTokenData,
  ],
  authenticate: authenticateByToken,
  hosts: (data) => [...googleHosts, ...hostOfAddress(optionalCredentialText(data, 'tokenUrl'))],
  renewal,
  test,
});

async function assertion(data: JsonObject, audience: string, nowMs: number): Promise<string> {
  const { SignJWT } = await import('jose');
  const issuedAt = Math.floor(nowMs / 1000);
  const actsAsUser = ownProperty(data, 'inpersonate') === true;
  // A domain refuses a request for a user with a scope that it did not grant.
  const scope = optionalCredentialText(data, 'scopes', actsAsUser ? platformScope : ownScopes)
    .split(/[\s,]+/)
    .join(' ');
  const token = new SignJWT({ scope })
    .setProtectedHeader({ alg: 'RS256', typ: 'JWT' })
    .setIssuer(credentialText(data, 'email').trim())
    .setAudience(audience)
    .setIssuedAt(issuedAt)
    .setExpirationTime(issuedAt + assertionLifetimeS);
  if (actsAsUser) token.setSubject(credentialText(data, 'delegatedEmail').trim());
  return token.sign(privateKeyOf(data, 'privateKey'));
}
