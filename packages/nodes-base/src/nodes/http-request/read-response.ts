import {
  type ExecuteContext,
  exceedsDepth,
  type HttpResponse,
  type Item,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  maxDataDepth,
  NodeApiError,
  NodeOperationError,
} from '@sluice/node-sdk';
import { setOwn } from '../../shared/field-path.ts';
import { booleanParameter, choiceParameter, textParameter, unsupported } from '../../shared/parameters.ts';

const options = 'options.response.response';

/** Bytes of an error's body that its details show. */
const shownBody = 2_048;

/**
 * The items of an answer: a list gives one item for each element, an object one item, text an item `{ data }`, nothing an empty one. An
 * answer that is not 2xx is a `NodeApiError`, unless the node never errs; so is a redirect, where redirects are followed.
 */
export function readResponse(context: ExecuteContext, itemIndex: number, response: HttpResponse, followed: boolean): Item[] {
  const neverError = booleanParameter(context, `${options}.neverError`, itemIndex, false);
  if (!neverError && !isSuccess(response.status, followed)) throw apiError(response, itemIndex);
  const body = readBody(context, itemIndex, response);
  const full = booleanParameter(context, `${options}.fullResponse`, itemIndex, false);
  const values = full ? [fullResponse(response, body)] : Array.isArray(body) ? body : [body];
  return values.map((value) => ({ json: asObject(context, itemIndex, value), pairedItem: { item: itemIndex } }));
}

function isSuccess(status: number, followed: boolean): boolean {
  return status >= 200 && status < (followed ? 300 : 400);
}

function fullResponse({ status, statusText, headers }: HttpResponse, body: JsonValue): JsonObject {
  return { body, headers: { ...headers }, statusCode: status, statusMessage: statusText };
}

function asObject(context: ExecuteContext, itemIndex: number, value: JsonValue): JsonObject {
  if (isJsonObject(value)) return value;
  if (value === null || value === '') return {};
  const json: JsonObject = {};
  setOwn(json, textParameter(context, `${options}.outputPropertyName`, itemIndex) || 'data', value);
  return json;
}

function readBody(context: ExecuteContext, itemIndex: number, response: HttpResponse): JsonValue {
  const format = choiceParameter(
    context,
    `${options}.responseFormat`,
    itemIndex,
    ['autodetect', 'file', 'json', 'text'],
    'autodetect',
  );
  const kind = format === 'autodetect' ? detect(response) : format;
  switch (kind) {
    case 'json':
      return parseJson(decode(response), itemIndex);
    case 'text':
      return decode(response);
    case 'file':
      throw unsupported('a binary response', 'Set the option "Response Format" to text or JSON where it is one', itemIndex);
  }
}

const textual =
  /^(text\/|application\/(xml|javascript|ecmascript|x-www-form-urlencoded|yaml|x-yaml|x-ndjson|graphql))|\+(xml|yaml)$/;

/** By the content type; without one, JSON if the body looks like it. */
function detect(response: HttpResponse): 'json' | 'text' | 'file' {
  const type = mediaType(response);
  if (response.body.byteLength === 0) return 'text';
  if (type === '') return /^\s*[[{]/.test(decode(response)) ? 'json' : 'text';
  if (/[/+]json$/.test(type)) return 'json';
  return textual.test(type) ? 'text' : 'file';
}

function parseJson(text: string, itemIndex: number): JsonValue {
  if (text.trim() === '') return null;
  if (exceedsDepth(text, maxDataDepth)) {
    throw new NodeOperationError(`the response is nested deeper than ${maxDataDepth} levels`, { itemIndex });
  }
  try {
    return JSON.parse(text) as JsonValue;
  } catch (cause) {
    const description = 'Set the option "Response Format" to text to get the response as it is';
    throw new NodeOperationError('the response is not valid JSON', { itemIndex, description, cause });
  }
}

function contentType({ headers }: HttpResponse): string {
  return [headers['content-type'] ?? ''].flat().join();
}

function mediaType(response: HttpResponse): string {
  return contentType(response).split(';', 1).join().trim().toLowerCase();
}

function decode(response: HttpResponse): string {
  const charset = /;\s*charset="?([\w-]+)/i.exec(contentType(response))?.[1] ?? 'utf-8';
  return decoder(charset).decode(response.body);
}

function decoder(charset: string): TextDecoder {
  try {
    return new TextDecoder(charset);
  } catch {
    return new TextDecoder();
  }
}

function apiError(response: HttpResponse, itemIndex: number): NodeApiError {
  const { status, statusText, body } = response;
  const start = decode({ ...response, body: body.subarray(0, shownBody) });
  return new NodeApiError(`the service answered ${status}${statusText ? ` ${statusText}` : ''}`, {
    itemIndex,
    description: hint(status),
    details: { status, statusText, body: start, truncated: body.byteLength > shownBody },
  });
}

const hints: ReadonlyMap<number, string> = new Map([
  [400, 'The service did not understand the request: check query, headers and body'],
  [401, 'The service wants to know who asks: check the authentication'],
  [403, 'The service knows who asks and refuses: check the permissions there'],
  [404, 'There is nothing at this URL: check it'],
  [405, 'The URL does not take this method'],
  [413, 'The body is too large for the service'],
  [415, 'The service does not take a body of this type: check the content type'],
  [422, 'The service understood the request but not its values: check the body'],
  [429, 'Too many requests: use the option "Batching" to send fewer at a time'],
]);

function hint(status: number): string {
  if (status < 400) return 'The service redirects: check the URL, or the option "Redirects"';
  const general = status >= 500 ? 'The service failed: try again later, or switch on "Retry On Fail"' : 'Check the request';
  return hints.get(status) ?? general;
}
