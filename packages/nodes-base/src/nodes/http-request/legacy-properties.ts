import type { NodeProperty } from '@sluice/node-sdk';
import { atLeast, choice, choices, list, number, options, text, toggle, when } from '../../shared/properties.ts';

export const legacyVersions = [1, 2];
export const legacyMethods = ['DELETE', 'GET', 'HEAD', 'OPTIONS', 'PATCH', 'POST', 'PUT'] as const;
export const legacyContentTypes = ['json', 'raw', 'multipart-form-data', 'form-urlencoded'] as const;

const legacy = when(legacyVersions);
const withBody = { requestMethod: ['PATCH', 'POST', 'PUT', 'DELETE'] };

const credentialType = (name: string, displayName: string, kind: string): NodeProperty => ({
  displayName,
  name,
  type: 'credentialsSelect',
  default: '',
  required: true,
  ...when([2], { authentication: [kind] }),
});

const pairs = (parameter: string, displayName: string, more: Record<string, readonly string[]> = {}): NodeProperty[] => [
  list(
    `${parameter}Ui`,
    displayName,
    'parameter',
    [text('name', 'Name', ''), text('value', 'Value', '')],
    when(legacyVersions, { jsonParameters: [false], ...more }),
  ),
  {
    displayName,
    name: `${parameter}Json`,
    type: 'json',
    default: '',
    ...when(legacyVersions, { jsonParameters: [true], ...more }),
    description: 'As a JSON object',
  },
];

const optionList: readonly NodeProperty[] = [
  atLeast(
    0,
    number('batchInterval', 'Batch Interval', 1_000, 'Milliseconds between the end of a batch and the start of the next'),
  ),
  atLeast(-1, number('batchSize', 'Batch Size', 50, 'Items per batch; -1: all, at most 1,000')),
  choice(
    'bodyContentType',
    'Body Content Type',
    choices(
      ['json', 'JSON'],
      ['raw', 'RAW/Custom'],
      ['multipart-form-data', 'Form-Data Multipart'],
      ['form-urlencoded', 'Form Urlencoded'],
    ),
  ),
  text('bodyContentCustomMimeType', 'MIME Type', 'The media type of a raw body'),
  toggle('fullResponse', 'Full Response', 'Whether an item has the headers, status, and body instead of only the body'),
  toggle('followAllRedirects', 'Follow All Redirects', 'Whether redirects are followed for every method'),
  toggle('followRedirect', 'Follow GET/HEAD Redirects', 'Whether redirects of read-only requests are followed', {
    default: true,
  }),
  toggle('ignoreResponseCode', 'Ignore Response Code', 'Whether to treat a response with any status as a success'),
  text('proxy', 'Proxy', 'URL of an HTTP proxy'),
  toggle(
    'splitIntoItems',
    'Split Into Items',
    'Whether each element of a list becomes an item, instead of one object by index',
  ),
  atLeast(1, number('timeout', 'Timeout', 10_000, 'Timeout for the whole response in milliseconds; default: 300,000')),
  toggle('useQueryString', 'Use Querystring', 'Whether lists in the query are written `a=1&a=2`, rather than `a[0]=1&a[1]=2`'),
];

/** The parameters of versions 1 and 2. */
export const legacyProperties: readonly NodeProperty[] = [
  choice(
    'authentication',
    'Authentication',
    choices(
      ['none', 'None'],
      ['basicAuth', 'Basic Auth'],
      ['digestAuth', 'Digest Auth'],
      ['headerAuth', 'Header Auth'],
      ['oAuth1', 'OAuth1'],
      ['oAuth2', 'OAuth2'],
      ['queryAuth', 'Query Auth'],
    ),
    when([1]),
  ),
  choice(
    'authentication',
    'Authentication',
    choices(
      ['none', 'None'],
      ['predefinedCredentialType', 'Predefined Credential Type'],
      ['genericCredentialType', 'Generic Credential Type'],
    ),
    when([2]),
  ),
  credentialType('nodeCredentialType', 'Credential Type', 'predefinedCredentialType'),
  credentialType('genericAuthType', 'Generic Auth Type', 'genericCredentialType'),
  choice('requestMethod', 'Request Method', choices(...legacyMethods.map((method): [string, string] => [method, method])), {
    ...legacy,
    default: 'GET',
  }),
  text('url', 'URL', 'Absolute, http or https', { ...legacy, required: true }),
  toggle(
    'allowUnauthorizedCerts',
    'Ignore SSL Issues (Insecure)',
    'Whether to accept any certificate. Others may then be able to read the traffic',
    legacy,
  ),
  choice('responseFormat', 'Response Format', choices(['json', 'JSON'], ['string', 'String'], ['file', 'File']), legacy),
  text('dataPropertyName', 'Property Name', 'The field for text, or the file', {
    ...when(legacyVersions, { responseFormat: ['string', 'file'] }),
    default: 'data',
  }),
  toggle(
    'jsonParameters',
    'JSON/RAW Parameters',
    'Whether to specify query, headers, and body as JSON, or the body as raw text',
    legacy,
  ),
  options(optionList, legacy),
  toggle('sendBinaryData', 'Send Binary File', 'Whether files of the item are the body', {
    ...when(legacyVersions, { jsonParameters: [true], requestMethod: ['PATCH', 'POST', 'PUT'] }),
  }),
  text('binaryPropertyName', 'Input Binary Field', 'The file; of a form `name1:field1,name2:field2`', {
    ...when(legacyVersions, { jsonParameters: [true], sendBinaryData: [true] }),
    default: 'data',
  }),
  ...pairs('bodyParameters', 'Body Parameters', withBody),
  ...pairs('headerParameters', 'Headers'),
  ...pairs('queryParameters', 'Query Parameters'),
];
