import type { JsonValue, NodeProperty, NodePropertyOption } from '@sluice/node-sdk';
import { legacyProperties, legacyVersions } from './legacy-properties.ts';
import { optimizeProperties } from './optimize-properties.ts';
import { paginationProperty } from './pagination-properties.ts';

const modernVersions = [3, 4, 4.1, 4.2, 4.3, 4.4, 4.5];
export const httpRequestVersions = [...legacyVersions, ...modernVersions];

const usualMethods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS'] as const;

/** RFC 4918, 3253 and 5323; the option `webdavMethods` only shows them. */
const webdavMethods = ['COPY', 'LOCK', 'MKCOL', 'MOVE', 'PROPFIND', 'PROPPATCH', 'REPORT', 'SEARCH', 'UNLOCK'] as const;
export const methods = [...usualMethods, ...webdavMethods] as const;
export const contentTypes = ['json', 'form-urlencoded', 'multipart-form-data', 'binaryData', 'raw'] as const;

type Show = Record<string, readonly JsonValue[]>;

const choices = (...values: [string, string, string?][]): NodePropertyOption[] =>
  values.map(([value, name, description]) => ({ value, name, ...(description && { description }) }));

const flag = (name: string, displayName: string, description: string, initial = false): NodeProperty => ({
  displayName,
  name,
  type: 'boolean',
  default: initial,
  description,
});

const specify = (
  name: string,
  displayName: string,
  show: Show,
  json: [string, string] = ['json', 'Using JSON'],
): NodeProperty => ({
  displayName,
  name,
  type: 'options',
  default: 'keypair',
  displayOptions: { show },
  options: choices(['keypair', 'Using Fields Below'], json),
});

const pairs = (name: string, displayName: string, show: Show): NodeProperty => ({
  displayName,
  name,
  type: 'fixedCollection',
  default: { parameters: [{ name: '', value: '' }] },
  displayOptions: { show },
  typeOptions: { multipleValues: true },
  options: [
    {
      name: 'parameters',
      displayName: 'Parameter',
      values: [
        { displayName: 'Name', name: 'name', type: 'string', default: '' },
        { displayName: 'Value', name: 'value', type: 'string', default: '' },
      ],
    },
  ],
});

const json = (name: string, show: Show): NodeProperty => ({
  displayName: 'JSON',
  name,
  type: 'json',
  default: '',
  displayOptions: { show },
});

const credentialType = (name: string, displayName: string, kind: string): NodeProperty => ({
  displayName,
  name,
  type: 'credentialsSelect',
  default: '',
  required: true,
  displayOptions: { show: { authentication: [kind] } },
});

const formPart: readonly NodeProperty[] = [
  {
    displayName: 'Parameter Type',
    name: 'parameterType',
    type: 'options',
    default: 'formData',
    options: choices(['formBinaryData', 'Binary File'], ['formData', 'Form Data']),
  },
  { displayName: 'Name', name: 'name', type: 'string', default: '' },
  {
    displayName: 'Value',
    name: 'value',
    type: 'string',
    default: '',
    displayOptions: { show: { parameterType: ['formData'] } },
  },
  {
    displayName: 'Input Data Field Name',
    name: 'inputDataFieldName',
    type: 'string',
    default: '',
    displayOptions: { show: { parameterType: ['formBinaryData'] } },
    description: 'The item’s file that is sent',
  },
];

const bodyProperties: readonly NodeProperty[] = [
  flag('sendBody', 'Send Body', 'Whether the request has a body'),
  {
    displayName: 'Body Content Type',
    name: 'contentType',
    type: 'options',
    default: 'json',
    displayOptions: { show: { sendBody: [true] } },
    options: choices(
      ['form-urlencoded', 'Form Urlencoded'],
      ['multipart-form-data', 'Form-Data'],
      ['json', 'JSON'],
      ['binaryData', 'Binary File'],
      ['raw', 'Raw'],
    ),
  },
  specify('specifyBody', 'Specify Body', { sendBody: [true], contentType: ['json'] }),
  specify('specifyBody', 'Specify Body', { sendBody: [true], contentType: ['form-urlencoded'] }, [
    'string',
    'Using Single Field',
  ]),
  pairs('bodyParameters', 'Body Parameters', {
    sendBody: [true],
    contentType: ['json', 'form-urlencoded'],
    specifyBody: ['keypair'],
  }),
  {
    displayName: 'Body Parameters',
    name: 'bodyParameters',
    type: 'fixedCollection',
    default: { parameters: [{ name: '', value: '' }] },
    displayOptions: { show: { sendBody: [true], contentType: ['multipart-form-data'] } },
    typeOptions: { multipleValues: true },
    options: [{ name: 'parameters', displayName: 'Parameter', values: formPart }],
  },
  {
    displayName: 'Input Data Field Name',
    name: 'inputDataFieldName',
    type: 'string',
    default: 'data',
    displayOptions: { show: { sendBody: [true], contentType: ['binaryData'] } },
    description: 'The item’s file that is the body',
  },
  json('jsonBody', { sendBody: [true], contentType: ['json'], specifyBody: ['json'] }),
  {
    displayName: 'Content Type',
    name: 'rawContentType',
    type: 'string',
    default: '',
    displayOptions: { show: { sendBody: [true], contentType: ['raw'] } },
    description: 'The media type of the body, for example `text/html`',
  },
  {
    displayName: 'Body',
    name: 'body',
    type: 'string',
    default: '',
    displayOptions: { show: { sendBody: [true], contentType: ['raw', 'form-urlencoded'] } },
  },
];

/** A group of options that the format keeps in a collection of its own. */
const group = (
  name: string,
  displayName: string,
  inner: string,
  values: readonly NodeProperty[],
  show?: Show,
): NodeProperty => ({
  displayName,
  name,
  type: 'fixedCollection',
  default: {},
  ...(show && { displayOptions: { show } }),
  options: [{ name: inner, displayName, values }],
});

const redirect = (followed: boolean, versions: readonly number[]): NodeProperty =>
  group(
    'redirect',
    'Redirects',
    'redirect',
    [
      flag('followRedirects', 'Follow Redirects', 'Whether redirects are followed', followed),
      {
        displayName: 'Max Redirects',
        name: 'maxRedirects',
        type: 'number',
        default: 21,
        displayOptions: { show: { followRedirects: [true] } },
      },
    ],
    { '@version': versions },
  );

const optionsProperty: NodeProperty = {
  displayName: 'Options',
  name: 'options',
  type: 'collection',
  default: {},
  options: [
    group('batching', 'Batching', 'batch', [
      {
        displayName: 'Items per Batch',
        name: 'batchSize',
        type: 'number',
        default: 50,
        description: '-1: all, at most 1,000',
      },
      {
        displayName: 'Batch Interval (ms)',
        name: 'batchInterval',
        type: 'number',
        default: 1000,
        description: 'Time between the end of a batch and the start of the next',
      },
    ]),
    {
      displayName: 'Array Format in Query Parameters',
      name: 'queryParameterArrays',
      type: 'options',
      default: 'brackets',
      displayOptions: { show: { '/sendQuery': [true] } },
      description: 'Format of lists; without this option, `a[0]=1&a[1]=2`',
      options: choices(['repeat', 'a=1&a=2'], ['brackets', 'a[]=1&a[]=2'], ['indices', 'a[0]=1&a[1]=2']),
    },
    flag(
      'allowUnauthorizedCerts',
      'Ignore SSL Issues (Insecure)',
      'Whether to accept any certificate. Others may then be able to read the traffic',
    ),
    flag('lowercaseHeaders', 'Lowercase Headers', 'Whether the names of headers are sent in lower case', true),
    redirect(false, [3]),
    redirect(true, [4, 4.1, 4.2, 4.3, 4.4, 4.5]),
    group('response', 'Response', 'response', [
      flag(
        'fullResponse',
        'Include Response Headers and Status',
        'Whether an item has the headers, status, and body instead of only the body',
      ),
      flag('neverError', 'Never Error', 'Whether a response with any status counts as success'),
      {
        displayName: 'Response Format',
        name: 'responseFormat',
        type: 'options',
        default: 'autodetect',
        options: choices(['autodetect', 'Autodetect'], ['file', 'File'], ['json', 'JSON'], ['text', 'Text']),
      },
      {
        displayName: 'Put Output in Field',
        name: 'outputPropertyName',
        type: 'string',
        default: 'data',
        displayOptions: { show: { responseFormat: ['file', 'text'] } },
      },
    ]),
    paginationProperty,
    {
      displayName: 'Proxy',
      name: 'proxy',
      type: 'string',
      default: '',
      description: 'URL of an HTTP proxy, `http://user:password@host:port`; other kinds are refused',
    },
    flag(
      'sendCredentialsOnCrossOriginRedirect',
      'Send Credentials on Cross-Origin Redirect',
      'Refused: credentials stay with the origin of the request',
    ),
    flag('webdavMethods', 'WebDAV Methods', 'Whether the editor offers the methods of WebDAV; they always work'),
    {
      displayName: 'Timeout',
      name: 'timeout',
      type: 'number',
      default: 10_000,
      description: 'Milliseconds for the whole response; 300,000 where this option is not set',
    },
  ],
};

const modernProperties: readonly NodeProperty[] = [
  {
    displayName: 'Method',
    name: 'method',
    type: 'options',
    default: 'GET',
    options: methods.map((value) => ({ name: value, value })),
  },
  {
    displayName: 'URL',
    name: 'url',
    type: 'string',
    default: '',
    required: true,
    description: 'Absolute, http or https; addresses inside the network of the service are refused',
  },
  {
    displayName: 'Authentication',
    name: 'authentication',
    type: 'options',
    default: 'none',
    options: choices(
      ['none', 'None'],
      ['predefinedCredentialType', 'Predefined Credential Type'],
      ['genericCredentialType', 'Generic Credential Type'],
    ),
  },
  credentialType('nodeCredentialType', 'Credential Type', 'predefinedCredentialType'),
  {
    ...credentialType('genericAuthType', 'Generic Auth Type', 'genericCredentialType'),
    description:
      'One of `httpBasicAuth`, `httpBearerAuth`, `httpCustomAuth`, `httpDigestAuth`, `httpHeaderAuth`, `httpQueryAuth`, `jwtAuth`, `oAuth1Api`, `oAuth2Api`',
  },
  flag('provideSslCertificates', 'SSL Certificates', 'Whether the request has certificates of its own, from a credential'),
  {
    displayName: 'SSL Certificate',
    name: 'sslCertificate',
    type: 'credentialsSelect',
    default: '',
    displayOptions: { show: { provideSslCertificates: [true] } },
    description: 'The credential of type `httpSslAuth` that holds them',
  },
  flag('sendQuery', 'Send Query Parameters', 'Whether parameters are added to the URL'),
  specify('specifyQuery', 'Specify Query Parameters', { sendQuery: [true] }),
  pairs('queryParameters', 'Query Parameters', { sendQuery: [true], specifyQuery: ['keypair'] }),
  json('jsonQuery', { sendQuery: [true], specifyQuery: ['json'] }),
  flag('sendHeaders', 'Send Headers', 'Whether headers of your own are sent'),
  specify('specifyHeaders', 'Specify Headers', { sendHeaders: [true] }),
  pairs('headerParameters', 'Header Parameters', { sendHeaders: [true], specifyHeaders: ['keypair'] }),
  json('jsonHeaders', { sendHeaders: [true], specifyHeaders: ['json'] }),
  ...bodyProperties,
  optionsProperty,
];

const ofModernVersions = (properties: readonly NodeProperty[]) =>
  properties.map((property) => ({
    ...property,
    displayOptions: { show: { ...property.displayOptions?.show, '@version': modernVersions } },
  }));

export const httpRequestProperties: readonly NodeProperty[] = [...legacyProperties, ...ofModernVersions(modernProperties)];
export const httpRequestToolProperties = ofModernVersions(optimizeProperties);
