import { type JsonObject, type JsonValue, NodeOperationError, ownProperty } from '@sluice/node-sdk';
import { ApiClient, type ApiResponse } from '../../shared/api-client.ts';
import { objectOf, objectsOf, textOf } from '../../shared/json-values.ts';
import type { Refusal } from '../../shared/refusal.ts';

/**
 * https://www.zoho.com/crm/developer/docs/api/v8/; a record that is refused may have a status of
 * success.
 */
export const zohoClient = new ApiClient({
  service: 'Zoho CRM',
  credentialType: 'zohoOAuth2Api',
  baseUrl: (credential) => `${apiDomain(credential)}/crm/v8`,
  refusesWithSuccess: true,
  refusalOf,
});

/** The data center's server, which Zoho returns with the token. */
function apiDomain(credential: JsonObject): string {
  const url = textOf(objectOf(ownProperty(credential, 'oauthTokenData'))['api_domain']);
  if (url.startsWith('https://')) return url.replace(/\/$/, '');
  throw new NodeOperationError('the Zoho credential has no data center', {
    description: 'Connect the account of the credential again',
  });
}

const hints: ReadonlyMap<string, string> = new Map([
  ['AUTHENTICATION_FAILURE', 'Connect the account of the credential again'],
  ['INVALID_TOKEN', 'Connect the account of the credential again'],
  ['OAUTH_SCOPE_MISMATCH', 'Connect the account of the credential again, with the scopes of the credential'],
  ['MANDATORY_NOT_FOUND', 'Set the fields that the layout of the module requires'],
]);

/** The error of the request, or of its only record. */
function refusalOf({ status, body }: ApiResponse): Refusal | undefined {
  const [record] = recordsOf(body);
  const error = record?.['status'] === 'error' ? record : objectOf(body);
  const isError = error['status'] === 'error' || status < 200 || status > 299;
  if (!isError) return undefined;
  const code = textOf(error['code']);
  const { api_name: field } = objectOf(error['details']);
  const text = [textOf(error['message']), textOf(field)].filter((one) => one !== '').join(': ');
  const hint = hints.get(code);
  return { ...(code !== '' && { code }), ...(text !== '' && { text }), ...(hint !== undefined && { hint }) };
}

/** The records of a response, which has no body if there are none. */
export const recordsOf = (body: JsonValue | undefined): JsonObject[] => objectsOf(objectOf(body)['data']);

/** Details of a changed record, such as its ID. */
export const detailsOf = (body: JsonValue | undefined): JsonValue => recordsOf(body)[0]?.['details'] ?? {};
