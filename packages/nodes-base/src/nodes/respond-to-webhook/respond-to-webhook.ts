import { type Item, type JsonObject, type NodeType, ownProperty, type WebhookResponse } from '@sluice/node-sdk';
import { passedItem } from '../../shared/per-item.ts';
import { between, choice, choices, list, number, options, text, toggle, when, where } from '../../shared/properties.ts';
import { streamResponse } from './stream-response.ts';
import { webhookResponse } from './webhook-response.ts';

const sample = '{\n  "myField": "value"\n}';
const json = { type: 'json', default: sample } as const;

const respondToOptions = options([
  between(200, 599, number('responseCode', 'Response Code', 200, 'Status from 200 to 599; default for a redirect: 307')),
  list('responseHeaders', 'Response Headers', 'entries', [
    text('name', 'Name', 'Name of a response header'),
    text('value', 'Value', 'Its value'),
  ]),
  text(
    'responseKey',
    'Put Response in Field',
    'Field of the response that contains the items, with dots for objects; empty: the items are the response',
    where({ '/respondWith': ['allIncomingItems', 'firstIncomingItem'] }),
  ),
  toggle(
    'enableStreaming',
    'Enable Streaming',
    'Whether to stream the response immediately if the webhook streams; the webhook then sets status and headers',
    {
      default: true,
      ...when([1.5], { '/respondWith': ['allIncomingItems', 'firstIncomingItem', 'text', 'json', 'jwt'] }),
    },
  ),
]);

/**
 * Responds to the request that started the workflow and passes the items on. Does nothing if no
 * client is waiting.
 */
export const respondToWebhook: NodeType = {
  description: {
    displayName: 'Respond to Webhook',
    name: 'respond-to-webhook',
    group: ['transform'],
    version: [1, 1.1, 1.2, 1.3, 1.4, 1.5],
    description:
      'Responds to the request of a webhook that is set to respond with this node. Only the first response is sent; without such a request, the items pass through. A browser shows the response in a sandbox',
    defaults: { name: 'Respond to Webhook' },
    inputs: ['main'],
    outputs: ['main'],
    credentials: [{ name: 'jwtAuth' }],
    properties: [
      toggle(
        'enableResponseOutput',
        'Enable Response Output Branch',
        'Whether to pass the response to a second output',
        when([1.4, 1.5]),
      ),
      choice(
        'respondWith',
        'Respond With',
        choices(
          ['firstIncomingItem', 'First Incoming Item'],
          ['allIncomingItems', 'All Incoming Items'],
          ['json', 'JSON'],
          ['text', 'Text'],
          ['binary', 'Binary File'],
          ['redirect', 'Redirect'],
          ['jwt', 'JWT Token'],
          ['noData', 'No Data'],
        ),
      ),
      text('redirectURL', 'Redirect URL', 'URL to redirect the client to', {
        required: true,
        ...where({ respondWith: ['redirect'] }),
      }),
      text('responseBody', 'Response Body', 'JSON, as text or as an object', { ...json, ...where({ respondWith: ['json'] }) }),
      text('payload', 'Payload', 'Payload of the token, as a JSON object', { ...json, ...where({ respondWith: ['jwt'] }) }),
      text('responseBody', 'Response Body', 'Sent as HTML unless a header says otherwise', where({ respondWith: ['text'] })),
      choice(
        'responseDataSource',
        'Response Data Source',
        choices(
          ['automatically', 'Choose Automatically From Input', 'The first file of the first item'],
          ['set', 'Specify Myself'],
        ),
        where({ respondWith: ['binary'] }),
      ),
      text('inputFieldName', 'Input Field Name', 'Which file of the first item is the response', {
        default: 'data',
        ...where({ respondWith: ['binary'], responseDataSource: ['set'] }),
      }),
      respondToOptions,
    ],
    icon: 'fa:reply',
    iconColor: 'green',
  },
  outputs: (parameters, typeVersion) => (hasResponseOutput(parameters, typeVersion) ? ['main', 'main'] : ['main']),
  async execute(context) {
    const response = await webhookResponse(context);
    if (!(await streamResponse(context, response))) {
      const counts = await context.respond?.(response);
      if (counts === false) context.logger.warn({}, 'the request already has a response');
    }
    const passed = context.items().map((item, itemIndex) => passedItem(item, itemIndex));
    return hasResponseOutput(context.node.parameters, context.typeVersion) ? [passed, [responseItem(response)]] : [passed];
  },
};

function hasResponseOutput(parameters: JsonObject, typeVersion: number): boolean {
  return typeVersion === 1.3 || (typeVersion >= 1.4 && ownProperty(parameters, 'enableResponseOutput') === true);
}

function responseItem({ status, headers, body }: WebhookResponse): Item {
  const json: JsonObject = { headers: structuredClone(headers) as JsonObject, statusCode: status };
  const pairedItem = { item: 0 };
  switch (body.kind) {
    case 'json':
      return { json: { body: body.json, ...json }, pairedItem };
    case 'text':
      return { json: { body: body.text, ...json }, pairedItem };
    case 'bytes':
      return { json: { body: body.base64, ...json }, pairedItem };
    case 'page':
      return { json: { body: body.message, ...json }, pairedItem };
    case 'file':
      return { json, binary: { data: body.file }, pairedItem };
    case 'none':
      return { json, pairedItem };
  }
}
