import type { BinaryReference, Item, JsonObject, NodeType, UnsupportedUse } from '@sluice/node-sdk';
import { assertUrlLength, isJsonObject } from '@sluice/node-sdk';
import {
  choice,
  choices,
  collection,
  type FormPart,
  list,
  mapItemsAsync,
  refuseUnsupported,
  text,
  toggle,
  where,
} from '@sluice/nodes-base/node-tools';
import { ApiClient, type ApiRequest } from '../../shared/api-client.ts';
import { asText } from '../../shared/json-values.ts';
import { metaRefusal } from '../../shared/meta-graph.ts';
import { ServiceItem } from '../../shared/service-item.ts';

/** https://developers.facebook.com/docs/graph-api/overview */
const client = new ApiClient({
  service: 'Facebook',
  credentialType: 'facebookGraphApi',
  baseUrl: 'https://graph.facebook.com',
  refusalOf: metaRefusal,
});

const hosts = choices(
  ['graph.facebook.com', 'Default', 'All requests, except uploads of videos'],
  ['graph-video.facebook.com', 'Video Uploads', 'Uploads of videos'],
);
const methods = choices(['GET', 'GET'], ['POST', 'POST'], ['DELETE', 'DELETE']);

/** Versions of https://developers.facebook.com/docs/graph-api/changelog */
const apiVersions = [
  '',
  ...['25.0', '24.0', '23.0', '22.0', '21.0', '20.0', '19.0', '18.0', '17.0', '16.0', '15.0', '14.0', '13.0', '12.0'],
  ...['11.0', '10.0', '9.0', '8.0', '7.0', '6.0', '5.0', '4.0', '3.3', '3.2', '3.1', '3.0', '2.12', '2.11', '2.10'],
].map((version) => ({ value: version && `v${version}`, name: version ? `v${version}` : 'Default of the App' }));

const unsupported: readonly UnsupportedUse[] = [
  {
    parameter: 'allowUnauthorizedCerts',
    what: 'ignoring invalid certificates',
    hint: 'Switch the parameter off: the certificates of Facebook are valid',
  },
];

/** Sends one Graph API request for each item. */
export const facebookGraphApi: NodeType = {
  description: {
    displayName: 'Facebook Graph API',
    name: 'facebook-graph-api',
    group: ['transform'],
    version: 1,
    description: 'Reads, creates, and deletes objects with the Facebook and Instagram Graph API',
    defaults: { name: 'Facebook Graph API' },
    inputs: ['main'],
    outputs: ['main'],
    usableAsTool: true,
    credentials: [{ name: 'facebookGraphApi', required: true }],
    icon: 'fa:share-nodes',
    iconColor: 'blue',
    subtitle: '={{ $parameter["httpRequestMethod"] + ": " + $parameter["node"] }}',
    properties: [
      choice('hostUrl', 'Host URL', hosts),
      choice('httpRequestMethod', 'HTTP Request Method', methods),
      choice('graphApiVersion', 'Graph API Version', apiVersions),
      text('node', 'Node', 'Object of the request: its ID, or `me`', { required: true }),
      text('edge', 'Edge', 'List of objects that belong to the node, such as `photos` or `media_publish`'),
      toggle('allowUnauthorizedCerts', 'Ignore SSL Issues (Insecure)', 'Whether to accept any certificate; not supported'),
      toggle(
        'sendBinaryData',
        'Send Binary File',
        'Whether to upload files of the item',
        where({ httpRequestMethod: ['POST'] }),
      ),
      text(
        'binaryPropertyName',
        'Input Binary Field',
        'Name of the binary property; or `field:property` for another form field than `file`. Several are separated by commas',
        where({ httpRequestMethod: ['POST'], sendBinaryData: [true] }),
      ),
      collection('options', 'Options', [
        list('fields', 'Fields', 'field', [text('name', 'Name', 'Field to return; fields of fields in braces')], {
          description: 'Fields to return. By default, Facebook chooses them',
        }),
        list('queryParameters', 'Query Parameters', 'parameter', [
          text('name', 'Name', 'Name of the parameter'),
          text('value', 'Value', 'Value of the parameter'),
        ]),
        text('queryParametersJson', 'Query Parameters JSON', 'Query parameters as a JSON object'),
      ]),
    ],
  },
  unsupported,
  execute: async (context) => [
    await mapItemsAsync(context, async (_, index): Promise<Item[]> => {
      refuseUnsupported(context, unsupported, index);
      const item = new ServiceItem(context, index, client);
      const body = await item.send(requestOf(item));
      return [{ json: isJsonObject(body) ? body : { value: body ?? null }, pairedItem: { item: index } }];
    }),
  ],
};

function requestOf(item: ServiceItem): ApiRequest {
  const method = (item.text('httpRequestMethod') || 'GET') as 'DELETE' | 'GET' | 'POST';
  const host = item.text('hostUrl') || 'graph.facebook.com';
  const place = [item.text('graphApiVersion'), item.required('node'), item.text('edge')]
    .map(trimmed)
    .filter((part) => part !== '');
  assertUrlLength(place); // before the parts are encoded, which takes long for long ones
  const parts = method === 'POST' && item.toggle('sendBinaryData') ? filesOf(item) : [];
  return {
    method,
    path: `https://${host}/${place.map(encoded).join('/')}`,
    query: queryOf(item),
    ...(parts.length > 0 && { parts: { from: item.context.binary, list: parts } }),
  };
}

function trimmed(part: string): string {
  return part.trim().replace(/^\/|\/$/g, '');
}

/** Keeps the slashes and the query of a part, such as `{page-id}/photos?limit=5`. */
function encoded(part: string): string {
  return encodeURI(part).replaceAll('#', '%23');
}

/** Maximum number of fields, and of parameters, in a request. */
const maxNames = 1_000;

function queryOf(item: ServiceItem): JsonObject {
  const names = namesIn(item, 'options.fields.field').map(({ name }) => asText(name ?? ''));
  const listed = namesIn(item, 'options.queryParameters.parameter').map(({ name, value }) => [asText(name ?? ''), value ?? '']);
  const json = item.json('options.queryParametersJson') ?? {};
  if (!isJsonObject(json)) {
    const description = 'Write an object, such as {"limit": 10}';
    throw item.error('the parameter "options.queryParametersJson" is not a JSON object', description);
  }
  const values: JsonObject = { ...Object.fromEntries(listed), ...json };
  return {
    ...(names.length > 0 && { fields: names.join(',') }),
    // Facebook reads only the last of repeated parameters, and lists as JSON.
    ...Object.fromEntries(
      Object.entries(values).map(([name, value]) => [name, Array.isArray(value) ? JSON.stringify(value) : value]),
    ),
  };
}

function namesIn(item: ServiceItem, path: string): JsonObject[] {
  const entries = item.entries(path);
  if (entries.length <= maxNames) return entries;
  throw item.error(`the parameter "${path}" has more than ${maxNames} entries`, 'Send several requests');
}

/** `file` is the form field of Facebook’s uploads unless the author names another. */
function filesOf(item: ServiceItem): FormPart[] {
  return item
    .required('binaryPropertyName')
    .split(',')
    .map((one) => {
      const [field = '', property] = one.split(':').map((part) => part.trim());
      const file: BinaryReference = item.file(property ?? field);
      return { name: property === undefined ? 'file' : field, file };
    });
}
