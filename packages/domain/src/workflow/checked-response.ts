import { isJsonObject, type JsonObject, ownProperty } from '../json/json.ts';
import type { WebhookBody, WebhookResponse } from './webhook.ts';

/** Kind of body → the problem with a body of this kind; false if it is valid. */
const problems: Readonly<Record<WebhookBody['kind'], (body: JsonObject) => string | false>> = {
  none: () => false,
  json: () => false,
  text: ({ text }) => typeof text !== 'string' && 'the text of a response must be a string',
  bytes: ({ base64 }) => typeof base64 !== 'string' && 'the bytes of a response must be in base64',
  page: ({ title, message }) =>
    (typeof title !== 'string' || typeof message !== 'string') && 'the page of a response needs a title and a message',
  file: ({ file }) => !(isJsonObject(file) && typeof file['id'] === 'string') && 'the body of a response lacks its file',
};

/**
 * Checks a response made by a node's code, which the compiler does not check: an invalid response
 * would fail much later, when it is sent. Throws a `TypeError` that names the problem.
 */
export function checkedResponse(source: WebhookResponse): WebhookResponse {
  const response: unknown = source;
  if (!isJsonObject(response)) throw new TypeError('a response must be an object');
  const { status, headers, body } = response as Record<string, unknown>;
  // 1xx responses are not final: a connection would wait for another response.
  if (typeof status !== 'number' || !Number.isInteger(status) || status < 200 || status > 599)
    throw new TypeError(`the status of a response must be a number from 200 to 599, not ${shown(status)}`);
  if (!isJsonObject(headers)) throw new TypeError('the headers of a response must be an object');
  for (const [name, value] of Object.entries(headers)) {
    if (!/^[\w!#$%&'*+.^`|~-]+$/.test(name)) throw new TypeError(`a header cannot have the name ${shown(name)}`);
    if (![value].flat().every((one) => typeof one === 'string' || typeof one === 'number'))
      throw new TypeError(`the header ${shown(name)} of a response must be a string or a list of strings`);
  }
  checkBody(body);
  return source;
}

function checkBody(body: unknown): void {
  const kind = isJsonObject(body) && typeof body['kind'] === 'string' ? body['kind'] : '';
  const problem = ownProperty(problems, kind)?.(body as JsonObject) ?? 'the body of a response has an unknown kind';
  if (problem !== false) throw new TypeError(problem);
}

function shown(value: unknown): string {
  return typeof value === 'string'
    ? JSON.stringify(value.slice(0, 100))
    : String(typeof value === 'number' ? value : typeof value);
}
