import type { JsonValue, NodeProperty } from '@sluice/node-sdk';
import { choice, choices, number, options, text, toggle, where } from '../../shared/properties.ts';
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

const specify = (
  name: string,
  displayName: string,
  show: Show,
  json: [string, string] = ['json', 'Using JSON'],
): NodeProperty => choice(name, displayName, choices(['keypair', 'Using Fields Below'], json), where(show));

const pairs = (name: string, displayName: string, show: Show): NodeProperty => ({
  displayName,
  name,
  type: 'fixedCollection',
  default: { parameters: [{ name: '', value: '' }] },
  ...where(show),
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
  ...where(show),
});

const credentialType = (name: string, displayName: string, kind: string): NodeProperty => ({
  displayName,
  name,
  type: 'credentialsSelect',
  default: '',
  required: true,
  ...where({ authentication: [kind] }),
});

const formPart: readonly NodeProperty[] = [
  choice('parameterType', 'Parameter Type', choices(['formBinaryData', 'Binary File'], ['formData', 'Form Data']), {
    default: 'formData',
  }),
  { displayName: 'Name', name: 'name', type: 'string', default: '' },
  {
    displayName: 'Value',
    name: 'value',
    type: 'string',
    default: '',
    ...where({ parameterType: ['formData'] }),
  },
  text('inputDataFieldName', 'Input Data Field Name', 'File of the item to send', where({ parameterType: ['formBinaryData'] })),
];

const bodyProperties: readonly NodeProperty[] = [
  toggle('sendBody', 'Send Body', 'Whether the request has a body'),
  choice(
    'contentType',
    'Body Content Type',
    choices(
      ['form-urlencoded', 'Form Urlencoded'],
      ['multipart-form-data', 'Form-Data'],
      ['json', 'JSON'],
      ['binaryData', 'Binary File'],
      ['raw', 'Raw'],
    ),
    { ...where({ sendBody: [true] }), default: 'json' },
  ),
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
    ...where({ sendBody: [true], contentType: ['multipart-form-data'] }),
    typeOptions: { multipleValues: true },
    options: [{ name: 'parameters', displayName: 'Parameter', values: formPart }],
  },
  text('inputDataFieldName', 'Input Data Field Name', 'File of the item to send as the body', {
    ...where({ sendBody: [true], contentType: ['binaryData'] }),
    default: 'data',
  }),
  json('jsonBody', { sendBody: [true], contentType: ['json'], specifyBody: ['json'] }),
  text(
    'rawContentType',
    'Content Type',
    'Media type of the body, such as `text/html`',
    where({ sendBody: [true], contentType: ['raw'] }),
  ),
  {
    displayName: 'Body',
    name: 'body',
    type: 'string',
    default: '',
    ...where({ sendBody: [true], contentType: ['raw', 'form-urlencoded'] }),
  },
];

/** A group of options that the format stores in a separate collection. */
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
  ...(show && where(show)),
  options: [{ name: inner, displayName, values }],
});

const redirect = (followed: boolean, versions: readonly number[]): NodeProperty =>
  group(
    'redirect',
    'Redirects',
    'redirect',
    [
      toggle('followRedirects', 'Follow Redirects', 'Whether redirects are followed', { default: followed }),
      {
        displayName: 'Max Redirects',
        name: 'maxRedirects',
        type: 'number',
        default: 21,
        ...where({ followRedirects: [true] }),
      },
    ],
    { '@version': versions },
  );

const optionsProperty: NodeProperty = options([
  group('batching', 'Batching', 'batch', [
    number('batchSize', 'Items per Batch', 50, '-1: all, at most 1,000'),
    number('batchInterval', 'Batch Interval (ms)', 1000, 'Time between the end of a batch and the start of the next'),
  ]),
  choice(
    'queryParameterArrays',
    'Array Format in Query Parameters',
    choices(['repeat', 'a=1&a=2'], ['brackets', 'a[]=1&a[]=2'], ['indices', 'a[0]=1&a[1]=2']),
    {
      ...where({ '/sendQuery': [true] }),
      description: 'Format of lists; without this option, `a[0]=1&a[1]=2`',
      default: 'brackets',
    },
  ),
  toggle(
    'allowUnauthorizedCerts',
    'Ignore SSL Issues (Insecure)',
    'Whether to accept any certificate. Others may then be able to read the traffic',
  ),
  toggle('lowercaseHeaders', 'Lowercase Headers', 'Whether to send header names in lower case', { default: true }),
  redirect(false, [3]),
  redirect(true, [4, 4.1, 4.2, 4.3, 4.4, 4.5]),
  group('response', 'Response', 'response', [
    toggle(
      'fullResponse',
      'Include Response Headers and Status',
      'Whether an item has the headers, status, and body instead of only the body',
    ),
    toggle('neverError', 'Never Error', 'Whether to treat a response with any status as a success'),
    choice(
      'responseFormat',
      'Response Format',
      choices(['autodetect', 'Autodetect'], ['file', 'File'], ['json', 'JSON'], ['text', 'Text']),
    ),
    {
      displayName: 'Put Output in Field',
      name: 'outputPropertyName',
      type: 'string',
      default: 'data',
      ...where({ responseFormat: ['file', 'text'] }),
    },
  ]),
  paginationProperty,
  text('proxy', 'Proxy', 'URL of an HTTP proxy, `http://user:password@host:port`; other kinds are refused'),
  toggle(
    'sendCredentialsOnCrossOriginRedirect',
    'Send Credentials on Cross-Origin Redirect',
    'Refused: credentials are only sent to the origin of the request',
  ),
  toggle('webdavMethods', 'WebDAV Methods', 'Whether the editor offers WebDAV methods; they always work'),
  number('timeout', 'Timeout', 10_000, 'Timeout for the whole response in milliseconds; default: 300,000'),
]);

const modernProperties: readonly NodeProperty[] = [
  choice(
    'method',
    'Method',
    methods.map((value) => ({ name: value, value })),
    { default: 'GET' },
  ),
  text('url', 'URL', 'Absolute, http or https; addresses inside the service’s network are refused', { required: true }),
  choice(
    'authentication',
    'Authentication',
    choices(
      ['none', 'None'],
      ['predefinedCredentialType', 'Predefined Credential Type'],
      ['genericCredentialType', 'Generic Credential Type'],
    ),
  ),
  credentialType('nodeCredentialType', 'Credential Type', 'predefinedCredentialType'),
  {
    ...credentialType('genericAuthType', 'Generic Auth Type', 'genericCredentialType'),
    description:
      'One of `httpBasicAuth`, `httpBearerAuth`, `httpCustomAuth`, `httpDigestAuth`, `httpHeaderAuth`, `httpQueryAuth`, `jwtAuth`, `oAuth1Api`, `oAuth2Api`',
  },
  toggle('provideSslCertificates', 'SSL Certificates', 'Whether the request uses certificates from a credential'),
  {
    displayName: 'SSL Certificate',
    name: 'sslCertificate',
    type: 'credentialsSelect',
    default: '',
    ...where({ provideSslCertificates: [true] }),
    description: 'The credential of type `httpSslAuth` that contains them',
  },
  toggle('sendQuery', 'Send Query Parameters', 'Whether parameters are added to the URL'),
  specify('specifyQuery', 'Specify Query Parameters', { sendQuery: [true] }),
  pairs('queryParameters', 'Query Parameters', { sendQuery: [true], specifyQuery: ['keypair'] }),
  json('jsonQuery', { sendQuery: [true], specifyQuery: ['json'] }),
  toggle('sendHeaders', 'Send Headers', 'Whether to send custom headers'),
  specify('specifyHeaders', 'Specify Headers', { sendHeaders: [true] }),
  pairs('headerParameters', 'Header Parameters', { sendHeaders: [true], specifyHeaders: ['keypair'] }),
  json('jsonHeaders', { sendHeaders: [true], specifyHeaders: ['json'] }),
  ...bodyProperties,
  optionsProperty,
];

const ofModernVersions = (properties: readonly NodeProperty[]) =>
  properties.map((property) => ({
    ...property,
    ...where({ ...property.displayOptions?.show, '@version': modernVersions }),
  }));

export const httpRequestProperties: readonly NodeProperty[] = [...legacyProperties, ...ofModernVersions(modernProperties)];
export const httpRequestToolProperties = ofModernVersions(optimizeProperties);
