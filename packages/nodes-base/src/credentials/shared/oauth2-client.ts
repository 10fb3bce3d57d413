import { AppError, credentialText, isJsonObject, type JsonObject, optionalCredentialText, ownProperty } from '@sluice/node-sdk';
import type { TokenRequest } from './token-endpoint.ts';

/**
 * Builds the token request of an OAuth 2 credential: grant fields, client authentication (RFC 6749
 * §2.3.1), and extra fields that the service requires. Throws `CREDENTIAL_INCOMPLETE`.
 */
export function clientRequest(data: JsonObject, grant: readonly (readonly [string, string])[]): TokenRequest {
  const { form, headers } = clientAuthentication(data);
  return { url: credentialText(data, 'accessTokenUrl'), form: [...grant, ...form, ...additionalFields(data)], headers };
}

/**
 * Client authentication of a request. A client without a secret (PKCE) is identified in the body.
 */
export function clientAuthentication(data: JsonObject): { form: [string, string][]; headers: Record<string, string> } {
  const id = credentialText(data, 'clientId');
  const clientSecret = optionalCredentialText(data, 'clientSecret');
  if (clientSecret === '') return { form: [['client_id', id]], headers: {} };
  if (optionalCredentialText(data, 'authentication', 'header') === 'body') {
    return {
      form: [
        ['client_id', id],
        ['client_secret', clientSecret],
      ],
      headers: {},
    };
  }
  const pair = [id, clientSecret].map((part) => formEncoded(part)).join(':');
  return { form: [], headers: { authorization: `Basic ${Buffer.from(pair).toString('base64')}` } };
}

function formEncoded(text: string): string {
  return new URLSearchParams([['', text]]).toString().slice(1);
}

function additionalFields(data: JsonObject): [string, string][] {
  if (ownProperty(data, 'sendAdditionalBodyProperties') !== true) return [];
  const properties = ownProperty(data, 'additionalBodyProperties');
  const fields = typeof properties === 'string' ? parsedObject(properties) : properties;
  if (!isJsonObject(fields)) {
    throw new AppError({ code: 'CREDENTIAL_INCOMPLETE', message: 'the field "additionalBodyProperties" is not a JSON object' });
  }
  return Object.entries(fields).map(([name, value]) => [name, typeof value === 'string' ? value : JSON.stringify(value)]);
}

function parsedObject(text: string): unknown {
  try {
    return text.trim() === '' ? {} : JSON.parse(text);
  } catch {
    return undefined;
  }
}
