import { type ConnectionType, type JsonObject, type NodeType, ownProperty } from '@sluice/node-sdk';
import { stringOf } from '../../shared/coerced-text.ts';
import { between, choice, choices, list, names, number, options, text, toggle, when, where } from '../../shared/properties.ts';
import { requestMethods } from '../../shared/webhook-requests.ts';
import { lastNodeChoices } from '../../shared/webhook-response.ts';
import { unsupportedUses, webhookTrigger } from './webhook-trigger.ts';

const methodChoices = requestMethods.map((value) => ({ name: value, value }));
const statusChoices = [200, 201, 204, 301, 302, 304, 400, 401, 403, 404].map((value) => ({ name: stringOf(value), value }));
const onReceived = where({ '/responseMode': ['onReceived'] });
const lastNode = where({ '/responseMode': ['lastNode'] });

const webhookOptions = options([
  names(
    'allowedOrigins',
    'Allowed Origins (CORS)',
    'Origins whose pages may read the response, separated by commas; empty or *: all',
  ),
  toggle('binaryData', 'Binary File', 'Whether the body is stored as a file', when([1])),
  text(
    'binaryPropertyName',
    'Binary Property',
    'Name of the item’s file. For several files it is a prefix, followed by a number. Empty: data, or the form field’s name',
  ),
  toggle('ignoreBots', 'Ignore Bots', 'Whether to reject requests from crawlers and link previews'),
  names(
    'ipWhitelist',
    'IP(s) Whitelist',
    'At most 2,000 addresses and networks that requests may come from, separated by commas; empty: all',
  ),
  toggle('noResponseBody', 'No Response Body', 'Whether to respond without a body', onReceived),
  text('onlyRunIf', 'Only Run If', 'Not supported yet'),
  toggle('rawBody', 'Raw Body', 'Whether to also store the unparsed body as a file, decompressed'),
  {
    displayName: 'Response Code',
    name: 'responseCode',
    type: 'fixedCollection',
    default: {},
    ...when([2, 2.1]),
    options: [
      {
        name: 'values',
        displayName: 'Values',
        values: [
          choice('responseCode', 'Response Code', [...statusChoices, { name: 'Custom Code', value: 'customCode' }], {
            default: 200,
          }),
          between(
            200,
            599,
            number('customCode', 'Code', 200, 'Status from 200 to 599', where({ responseCode: ['customCode'] })),
          ),
        ],
      },
    ],
  },
  text('responseContentType', 'Response Content-Type', 'Content type of the response, if it is one value', lastNode),
  text('responseData', 'Response Data', 'Text of the response, instead of a message', onReceived),
  list('responseHeaders', 'Response Headers', 'entries', [
    text('name', 'Name', 'Name of a response header'),
    text('value', 'Value', 'Its value'),
  ]),
  text(
    'responsePropertyName',
    'Property Name',
    'Field of the first item to respond with; dots separate nested fields',
    lastNode,
  ),
]);

/** Start of a workflow with an HTTP request. */
export const webhook: NodeType = {
  description: {
    displayName: 'Webhook',
    name: 'webhook',
    group: ['trigger'],
    version: [1, 1.1, 2, 2.1],
    description:
      'Starts the workflow on requests to its address, `/webhook/<path>`, while the workflow is active. Outputs one item with `headers`, `params`, `query`, `body`, `webhookUrl`, and `executionMode`, and the files of the request',
    defaults: { name: 'Webhook' },
    inputs: [],
    outputs: ['main'],
    computesOnly: true,
    credentials: [
      { name: 'httpBasicAuth', ...where({ authentication: ['basicAuth'] }) },
      { name: 'httpHeaderAuth', ...where({ authentication: ['headerAuth'] }) },
      { name: 'jwtAuth', ...where({ authentication: ['jwtAuth'] }) },
      { name: 'webhookSignature', ...where({ authentication: ['signature'] }) },
    ],
    properties: [
      toggle('multipleMethods', 'Allow Multiple HTTP Methods', 'Whether the node has an output for each of several methods'),
      choice('httpMethod', 'HTTP Method', methodChoices, { default: 'GET', ...where({ multipleMethods: [false] }) }),
      {
        displayName: 'HTTP Methods',
        name: 'httpMethod',
        type: 'multiOptions',
        default: ['GET', 'POST'],
        options: methodChoices,
        ...where({ multipleMethods: [true] }),
      },
      text(
        'path',
        'Path',
        'Last part of the address. A part such as `:id` matches any string; the node ID (`webhookId`) then comes before the path. Empty: the node ID',
      ),
      choice(
        'authentication',
        'Authentication',
        choices(
          ['none', 'None'],
          ['basicAuth', 'Basic Auth'],
          ['headerAuth', 'Header Auth'],
          ['jwtAuth', 'JWT Auth', 'The item has the token’s claims in `jwtPayload`'],
          ['signature', 'Signature', 'The body is signed, as Standard Webhooks or by another HMAC'],
          ['n8nOAuth2', 'OAuth2', 'Not supported'],
        ),
        { description: 'Authentication required from requests, from a credential of the node' },
      ),
      choice(
        'responseMode',
        'Respond',
        choices(
          ['onReceived', 'Immediately', 'Once the execution is sure to run'],
          ['lastNode', 'When Last Node Finishes'],
          ['responseNode', "Using 'Respond to Webhook' Node"],
          ['streaming', 'Streaming', 'Streams what nodes send while the workflow runs, one line of JSON each'],
        ),
      ),
      between(200, 599, number('responseCode', 'Response Code', 200, 'Status of the response', when([1, 1.1]))),
      choice('responseData', 'Response Data', lastNodeChoices, {
        description: 'Part of the last node’s items to respond with',
        ...where({ responseMode: ['lastNode'] }),
      }),
      text('responseBinaryPropertyName', 'Property Name', 'Which file of the first item is the response', {
        default: 'data',
        ...where({ responseData: ['firstEntryBinary'] }),
      }),
      webhookOptions,
    ],
    icon: 'fa:globe',
    iconColor: 'green',
  },
  unsupported: unsupportedUses,
  outputs: (parameters) => Array.from({ length: outputCount(parameters) }, (): ConnectionType => 'main'),
  triggers: (context) => [webhookTrigger(context)],
  execute: (context) => [[...context.items()]],
};

function outputCount(parameters: JsonObject): number {
  const methods = ownProperty(parameters, 'httpMethod');
  if (ownProperty(parameters, 'multipleMethods') !== true) return 1;
  return Array.isArray(methods) ? Math.max(1, Math.min(new Set(methods).size, requestMethods.length)) : 1;
}
