import {
  type BinaryReference,
  type ExecuteContext,
  type Item,
  type JsonValue,
  maxUrlLength,
  NodeOperationError,
  ownProperty,
  type WebhookBody,
  type WebhookResponse,
} from '@sluice/node-sdk';
import { signJwt } from '../../credentials/jwt-auth.ts';
import { parseFieldPath, withField } from '../../shared/field-path.ts';
import {
  choiceParameter,
  numberParameter,
  objectParameter,
  parseDataParameter,
  requiredText,
  textParameter,
  wrongParameter,
} from '../../shared/parameters.ts';
import { headersParameter, statusOf } from '../../shared/webhook-requests.ts';

const kinds = ['firstIncomingItem', 'allIncomingItems', 'json', 'text', 'binary', 'redirect', 'jwt', 'noData'] as const;

/** The node's response, from its parameters for the first item. */
export async function webhookResponse(context: ExecuteContext): Promise<WebhookResponse> {
  const kind = choiceParameter(context, 'respondWith', 0, kinds, 'firstIncomingItem');
  const isRedirect = kind === 'redirect';
  const headers = headersParameter(context, 'options.responseHeaders.entries');
  return {
    status: statusOf(numberParameter(context, 'options.responseCode', 0, isRedirect ? 307 : 200), 'responseCode'),
    headers: isRedirect ? { ...headers, location: toLocation(requiredText(context, 'redirectURL', 0)) } : headers,
    body: await bodyOf(context, kind),
  };
}

/** Encodes a URL for a header; encoded parts are unchanged. No client follows a longer URL. */
function toLocation(url: string): string {
  if (url.length > maxUrlLength) throw wrongParameter('redirectURL', `a URL of at most ${maxUrlLength} characters`, url, 0);
  return url
    .trim()
    .toWellFormed()
    .replaceAll(/[^\x21-\x7e]/gu, encodeURIComponent);
}

async function bodyOf(context: ExecuteContext, kind: (typeof kinds)[number]): Promise<WebhookBody> {
  const items = context.items();
  switch (kind) {
    case 'firstIncomingItem':
      return { kind: 'json', json: underKey(context, items[0]?.json ?? {}) };
    case 'allIncomingItems':
      return {
        kind: 'json',
        json: underKey(
          context,
          items.map(({ json }) => json),
        ),
      };
    case 'json':
      return { kind: 'json', json: await jsonOf(context) };
    case 'text':
      return { kind: 'text', text: textParameter(context, 'responseBody', 0) };
    case 'binary':
      return { kind: 'file', file: fileOf(context, items[0]) };
    case 'jwt': {
      const credential = await context.credentials('jwtAuth', 0);
      return { kind: 'json', json: { token: await signJwt(credential, objectParameter(context, 'payload', 0), Date.now()) } };
    }
    case 'redirect':
    case 'noData':
      return { kind: 'none' };
  }
}

function underKey(context: ExecuteContext, value: JsonValue): JsonValue {
  const key = textParameter(context, 'options.responseKey', 0).trim();
  return key === '' ? value : withField({}, parseFieldPath(key), value);
}

async function jsonOf(context: ExecuteContext): Promise<JsonValue> {
  const body = context.parameter<JsonValue>('responseBody', 0, {});
  return typeof body === 'string' ? parseDataParameter('responseBody', body, 0) : body;
}

function fileOf(context: ExecuteContext, item: Item | undefined): BinaryReference {
  const binary = item?.binary ?? {};
  const source = choiceParameter(context, 'responseDataSource', 0, ['automatically', 'set'], 'automatically');
  const name = source === 'set' ? textParameter(context, 'inputFieldName', 0, 'data').trim() : Object.keys(binary)[0];
  const file = name === undefined ? undefined : ownProperty(binary, name);
  if (file) return file;
  throw new NodeOperationError(`the first item has no file${name === undefined ? '' : ` "${name.slice(0, 100)}"`}`, {
    itemIndex: 0,
    description: 'Check the name of the file and the node’s input',
  });
}
