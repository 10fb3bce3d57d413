import { type JsonObject, type JsonValue, NodeOperationError, type NodeProperty, ownProperty } from '@sluice/node-sdk';
import { list, text } from '@sluice/nodes-base/node-tools';
import { ApiClient } from '../../shared/api-client.ts';
import { asText, objectOf, objectsOf, textOf } from '../../shared/json-values.ts';
import type { ServiceItem } from '../../shared/service-item.ts';

/** https://developer.salesforce.com/docs/atlas.en-us.api_rest.meta/api_rest/ */
export const salesforceClient = new ApiClient({
  service: 'Salesforce',
  credentialType: 'salesforceOAuth2Api',
  baseUrl: instanceUrl,
  refusalOf({ status, body }) {
    const [{ message, errorCode, fields } = {}] = objectsOf(body);
    const names = [fields ?? []].flat().map(asText).join(', ');
    return {
      ...(textOf(message) !== '' && { text: `${textOf(message)}${names === '' ? '' : `: ${names}`}` }),
      ...(textOf(errorCode) !== '' && { code: textOf(errorCode) }),
      ...(status === 401 && { hint: 'Connect the account of the credential again' }),
      ...(errorCode === 'REQUEST_LIMIT_EXCEEDED' && { hint: 'The requests of the organization for 24 hours are used up' }),
    };
  },
});

/** The organization's server, which Salesforce returns with the token. */
function instanceUrl(credential: JsonObject): string {
  const url = textOf(objectOf(ownProperty(credential, 'oauthTokenData'))['instance_url']);
  if (url.startsWith('https://')) return url.replace(/\/$/, '');
  throw new NodeOperationError('the Salesforce credential has no organization', {
    description: 'Connect the account of the credential again',
  });
}

const api = '/services/data/v62.0';

export const apiPath = (path: string): string => `${api}${path}`;

/** Path of a kind of record, of a record, or of what a record has. */
export const recordPath = (sobject: string, ...parts: readonly string[]): string =>
  apiPath(`/sobjects/${[sobject, ...parts].map(encodeURIComponent).join('/')}`);

/** Response to a change that has no content. */
export const succeeded: JsonObject = { errors: [], success: true };

export const customFields: NodeProperty = list('customFieldsUi', 'Custom Fields', 'customFieldsValues', [
  text('fieldId', 'Field Name or ID', 'API name of the field, which ends in `__c`', {
    typeOptions: { loadOptionsMethod: 'getCustomFields' },
  }),
  text('value', 'Value', 'Value of the field'),
]);

/** Custom fields that a parameter sets: API name → value. */
export function customFieldsOf(item: ServiceItem, path: string): JsonObject {
  const entries = item
    .entries(`${path}.customFieldsValues`)
    .map(({ fieldId, value = '' }): [string, JsonValue] => [asText(fieldId ?? '').trim(), value]);
  return Object.fromEntries(entries.filter(([name]) => name !== ''));
}

/** A file of the item as base64. Salesforce accepts 50 MB per request. */
export async function base64Of(item: ServiceItem, property: string): Promise<{ name: string; content: string }> {
  const file = item.file(property);
  const bytes = (file.fileSize ?? 0) > maxFileBytes ? undefined : await item.context.binary.read(file, maxFileBytes);
  if (!bytes) throw item.error('the file is larger than 35 MB', 'Store the file elsewhere, and save a link to it');
  return { name: file.fileName ?? property, content: Buffer.from(bytes).toString('base64') };
}

const maxFileBytes = 35_000_000;
